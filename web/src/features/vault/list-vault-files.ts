import { listItems } from '@alcove/contract/item-calls'
import type { Item, File as StoredFile } from '@alcove/contract/items'
import { MAX_PAGE_SIZE } from '@alcove/contract/limits'
import { send } from '../../api/api.ts'
import { ownIdOf, VAULT_ROOT } from '../../api/vault-root.ts'

/** A file of the vault, with its path from the folder on that was asked about. */
export interface FoundFile {
  readonly file: StoredFile
  readonly path: string
}

/** All files among some items and below them, at any depth. */
export async function listFilesBelow(items: readonly Item[], signal?: AbortSignal): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  const left = items.map((item) => ({ item, path: item.name }))
  for (let next = left.pop(); next; next = left.pop()) {
    const { item, path } = next
    if (item.type === 'file') found.push({ file: item, path })
    else
      for (const child of await listFolder(item.id, signal)) left.push({ item: child, path: `${path}/${child.name}` })
  }
  return found.reverse()
}

/** All that is in a folder of the vault, or at its root. */
export async function listFolder(folderId: string | undefined, signal?: AbortSignal): Promise<Item[]> {
  const id = ownIdOf(folderId ?? VAULT_ROOT)
  const items: Item[] = []
  let cursor: string | undefined
  do {
    const page = await send(listItems, { folderId: id, vault: true, limit: MAX_PAGE_SIZE, cursor }, { signal })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}
