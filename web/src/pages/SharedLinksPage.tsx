import type { Item } from '@alcove/contract/items'
import { SharedLinksList } from '../features/sharing/list/SharedLinksList.tsx'
import { openPublicLink } from '../features/sharing/open-public-link.ts'
import { keyLinkFor } from '../features/vault/share/key-link.tsx'
import { PageHeading } from '../ui/PageHeader.tsx'

export function SharedLinksPage() {
  return (
    <>
      <PageHeading>Shared links</PageHeading>
      <SharedLinksList onSettings={openSettings} />
    </>
  )
}

function openSettings(item: Item): void {
  openPublicLink(item, keyLinkFor(item))
}
