import { createFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { trashItems } from '@alcove/contract/item-calls'
import {
  deleteFile,
  deleteFolder,
  deleteItems,
  emptyTrash,
  restoreFile,
  restoreFolder,
  restoreItems,
} from '@alcove/contract/trash'
import { cancelUpload } from '@alcove/contract/uploads'
import { type Client, expectDone } from './client.ts'
import { afterDeleting, afterRestoring, afterTrashing, listSeen, listTrashed, withEntries } from './tree.ts'

/** The largest number of items in a call. */
const MANY = 5

export async function makeFolder(client: Client): Promise<void> {
  const parents = listSeen(client.tree, 'folder').filter(({ folder }) => folder === undefined)
  const parent = parents.length > 0 && client.random.isOnce(2) ? client.random.pick(parents).name : undefined
  const name = client.newName('folder')
  const tree = withEntries(client.tree, { name, folder: parent, trash: undefined, content: undefined, versions: [] })
  await client.change(`the folder ${name}`, tree, () =>
    client.api.call(createFolder, { folderName: name, parentFolderId: parent && client.idOf(parent) }),
  )
}

/** Trashes one item or several. */
export async function trash(client: Client, kind: 'file' | 'folder' | 'many' = anyKind(client)): Promise<void> {
  // Leave out folders that an upload needs.
  const awaited = new Set([...client.uploads].flatMap(({ name, folder }) => [name, folder]))
  const seen = listSeen(client.tree, kind === 'folder' ? 'folder' : 'file').filter(
    ({ name }) => !awaited.has(name) && !holdsAwaited(client, name, awaited),
  )
  if (seen.length === 0) return
  const first = client.random.pick(seen)
  const names =
    kind === 'many'
      ? client.random
          .shuffle(seen)
          .slice(0, MANY)
          .map(({ name }) => name)
      : [first.name]
  const id = client.idOf(first.name)
  await client.change(`trashing ${names.join(', ')}`, afterTrashing(client.tree, names), () =>
    kind === 'many'
      ? client.api.call(trashItems, { itemIds: names.map((name) => client.idOf(name)) })
      : client.api.call(kind === 'folder' ? trashFolder : trashFile, { id }),
  )
}

export async function restore(client: Client): Promise<void> {
  await withTrashed(client, 'restoring', afterRestoring, {
    one: (isFolder, id) => client.api.call(isFolder ? restoreFolder : restoreFile, { id }),
    many: (itemIds) => client.api.call(restoreItems, { itemIds }),
  })
}

export async function restoreAll(client: Client): Promise<void> {
  const names = listTrashed(client.tree)
  if (names.length === 0) return
  await client.change('restoring everything', afterRestoring(client.tree, names), () =>
    client.api.call(restoreItems, { itemIds: names.map((name) => client.idOf(name)) }),
  )
}

export async function deletePermanently(client: Client): Promise<void> {
  await withTrashed(client, 'deleting', afterDeleting, {
    one: (isFolder, id) => client.api.call(isFolder ? deleteFolder : deleteFile, { id }),
    many: (itemIds) => client.api.call(deleteItems, { itemIds }),
  })
}

/** Empties the trash. A client that shares the account only deletes its own items. */
export async function empty(client: Client): Promise<void> {
  const names = listTrashed(client.tree)
  if (names.length === 0) return
  await client.change('emptying the trash', afterDeleting(client.tree, names), () =>
    client.isAlone
      ? client.api.call(emptyTrash, {})
      : client.api.call(deleteItems, { itemIds: names.map((name) => client.idOf(name)) }),
  )
}

export async function cancel(client: Client): Promise<void> {
  const [upload] = [...client.uploads].filter(({ received }) => received.size > 0)
  if (!upload) return
  client.uploads.delete(upload)
  // Nothing of the upload is expected anymore, whether the call was done or not.
  await expectDone(`cancelling ${upload.name}`, () => client.api.call(cancelUpload, { uploadId: upload.id }))
}

type Changed = { status: number; body: unknown }

async function withTrashed(
  client: Client,
  doing: string,
  after: typeof afterDeleting,
  calls: { one(isFolder: boolean, id: string): Promise<Changed>; many(ids: string[]): Promise<Changed> },
): Promise<void> {
  const trashed = client.random.shuffle(listTrashed(client.tree))
  const names = client.random.isOnce(2) ? trashed.slice(0, MANY) : trashed.slice(0, 1)
  const [first] = names
  if (first === undefined) return
  const isFolder = client.tree.get(first)?.content === undefined
  await client.change(`${doing} ${names.join(', ')}`, after(client.tree, names), () =>
    names.length === 1 ? calls.one(isFolder, client.idOf(first)) : calls.many(names.map((name) => client.idOf(name))),
  )
}

function anyKind(client: Client): 'file' | 'folder' | 'many' {
  return client.random.pick(['file', 'folder', 'many'])
}

function holdsAwaited(client: Client, name: string, awaited: ReadonlySet<string | undefined>): boolean {
  return [...client.tree.values()].some(
    (entry) => entry.folder === name && (awaited.has(entry.name) || holdsAwaited(client, entry.name, awaited)),
  )
}
