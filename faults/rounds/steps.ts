import { cancel, deletePermanently, empty, makeFolder, restore, trash } from '../clients/changes.ts'
import type { Client, Upload } from '../clients/client.ts'
import { listSeen } from '../clients/tree.ts'
import { beginUpload, complete, listMissing, sendChunks } from '../clients/upload.ts'
import { deleteAllVersions, deleteSomeVersion, restoreSomeVersion } from '../clients/versions.ts'
import { chunkedPlan, replace, sendLarge, sendMany, sendSmall } from '../clients/work.ts'

/** What a client does when the server is killed. */
export interface Step {
  readonly name: string
  /** Makes the step possible, and returns it. */
  prepare(client: Client): Promise<() => Promise<void>>
  /** The time in milliseconds within which the server is killed. */
  readonly lasts: number
}

const FILES_OF_A_FOLDER = 8
const REPLACEMENTS = 5
/** In KiB. The server writes it in several pieces, so the kill may come between two. */
const LARGE_CHUNK = 4096

export const steps: readonly Step[] = [
  { name: 'a chunk', lasts: 60, prepare: async (client) => () => sendOpen(client, LARGE_CHUNK).then(() => {}) },
  {
    name: 'the completion of an upload',
    lasts: 12,
    prepare: async (client) => {
      const upload = await sendOpen(client)
      return () => complete(client, upload)
    },
  },
  { name: 'a small file', lasts: 10, prepare: async (client) => () => sendSmall(client) },
  { name: 'small files together', lasts: 40, prepare: async (client) => () => sendMany(client) },
  { name: 'a file in one piece', lasts: 20, prepare: async (client) => () => sendLarge(client) },
  {
    name: 'a replacement',
    lasts: 25,
    prepare: async (client) => {
      await sendSmall(client)
      return () => replace(client)
    },
  },
  { name: 'restoring a version', lasts: 12, prepare: async (client) => afterReplacing(client, restoreSomeVersion) },
  { name: 'deleting a version', lasts: 12, prepare: async (client) => afterReplacing(client, deleteSomeVersion) },
  { name: 'deleting all versions', lasts: 15, prepare: async (client) => afterReplacing(client, deleteAllVersions) },
  {
    name: 'trashing a folder',
    lasts: 8,
    prepare: async (client) => {
      await fillFolder(client)
      return () => trash(client, 'folder')
    },
  },
  {
    name: 'trashing several items',
    lasts: 8,
    prepare: async (client) => {
      await fillFolder(client)
      return () => trash(client, 'many')
    },
  },
  { name: 'restoring', lasts: 8, prepare: async (client) => afterFillingTrash(client, restore) },
  { name: 'permanent deletion', lasts: 15, prepare: async (client) => afterFillingTrash(client, deletePermanently) },
  { name: 'emptying the trash', lasts: 30, prepare: async (client) => afterFillingTrash(client, empty) },
  {
    name: 'cancelling an upload',
    lasts: 15,
    prepare: async (client) => {
      await sendOpen(client)
      return () => cancel(client)
    },
  },
]

/** Sends all chunks of an upload without completing it. */
async function sendOpen(client: Client, upTo?: number): Promise<Upload> {
  const upload = beginUpload(client, chunkedPlan(client, upTo))
  await sendChunks(client, upload, client.random.shuffle(listMissing(upload)))
  return upload
}

/** Creates some files, most of them in a folder. */
async function fillFolder(client: Client): Promise<void> {
  if (listSeen(client.tree, 'folder').length === 0) await makeFolder(client)
  for (let count = 0; count < FILES_OF_A_FOLDER; count++) await sendSmall(client)
}

/** Creates a file with some versions. */
async function afterReplacing(client: Client, act: (client: Client) => Promise<void>): Promise<() => Promise<void>> {
  await sendSmall(client)
  for (let count = 0; count < REPLACEMENTS; count++) await replace(client)
  return () => act(client)
}

async function afterFillingTrash(client: Client, act: (client: Client) => Promise<void>): Promise<() => Promise<void>> {
  await fillFolder(client)
  await trash(client, 'file')
  await trash(client, 'folder')
  return () => act(client)
}
