import type { OutputOf } from '@alcove/contract/call'
import { getFolder, listFiles, listRootFolders } from '@alcove/contract/files'
import type { File, Folder, Item, PathStep } from '@alcove/contract/items'
import { send } from '../../lib/api.ts'

/** What is in a folder, or at the root, and where that folder is. */
export interface FolderContents {
  /** Absent at the root. */
  readonly id?: string
  readonly name: string
  readonly parentId: string | null
  /** The ancestors, the topmost first. */
  readonly path: readonly PathStep[]
  readonly folders: readonly Folder[]
  readonly files: readonly File[]
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

/** The folder that an item lies in; undefined at the root. */
export function parentOf(item: Item): string | undefined {
  return (item.type === 'file' ? item.folder_id : item.parentId) ?? undefined
}

export function withoutItem(contents: FolderContents, { id }: Item): FolderContents {
  return {
    ...contents,
    folders: contents.folders.filter((folder) => folder.id !== id),
    files: contents.files.filter((file) => file.id !== id),
  }
}

/** With the item in its new state, or put back where it had been taken away. */
export function withItem(contents: FolderContents, item: Item): FolderContents {
  const rest = withoutItem(contents, item)
  return item.type === 'file'
    ? { ...rest, files: [...rest.files, item] }
    : { ...rest, folders: [...rest.folders, item] }
}
