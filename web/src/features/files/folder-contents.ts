import type { OutputOf } from '@alcove/contract/call'
import { getFolder, listFiles, listRootFolders } from '@alcove/contract/files'
import type { PathStep } from '@alcove/contract/items'
import { send } from '../../lib/api.ts'
import type { ItemLists } from '../../lib/item-lists.ts'

/** What is in a folder, or at the root, and where that folder is. */
export interface FolderContents extends ItemLists {
  /** Absent at the root. */
  readonly id?: string
  readonly name: string
  readonly parentId: string | null
  /** The ancestors, the topmost first. */
  readonly path: readonly PathStep[]
}

export const ROOT_NAME = 'Root'

/** Fetches a folder, or the root, which takes two calls. */
export async function fetchContents(folderId: string | undefined, signal: AbortSignal): Promise<FolderContents> {
  if (folderId) return ofFolder(await send(getFolder, { id: folderId }, { signal }))
  const [folders, { files }] = await Promise.all([
    send(listRootFolders, {}, { signal }),
    send(listFiles, {}, { signal }),
  ])
  return { name: ROOT_NAME, parentId: null, path: [], folders, files }
}

function ofFolder({ subFolders, ...folder }: OutputOf<typeof getFolder>): FolderContents {
  return { ...folder, folders: subFolders }
}
