import { SharedLinksList } from '../features/sharing/list/SharedLinksList.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'

export function SharedLinksPage() {
  return (
    <>
      <PageHeading>Shared links</PageHeading>
      <SharedLinksList />
    </>
  )
}
