import type { Item } from '@alcove/contract/items'
import type { ReactNode } from 'react'
import { KeyLinkSection } from './KeyLinkSection.tsx'

/** What the dialog of a public link shows besides for an item of the vault; nothing for folders, which have no key. */
export function keyLinkFor(item: Item): ((link: string) => ReactNode) | undefined {
  if (item.type === 'folder' || !item.isEncrypted) return undefined
  return (link) => <KeyLinkSection file={item} link={link} />
}
