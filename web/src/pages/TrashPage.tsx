import { TrashContents } from '../features/trash/TrashContents.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'

export function TrashPage() {
  return (
    <>
      <PageHeading>Trash</PageHeading>
      <TrashContents />
    </>
  )
}
