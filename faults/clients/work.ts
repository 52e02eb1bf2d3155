import { cancel, deletePermanently, empty, makeFolder, restore, trash } from './changes.ts'
import { type Client, ServerGone, type UploadPlan } from './client.ts'
import { listSeen } from './tree.ts'
import { beginUpload, complete, listMissing, sendChunks, sendTogether, sendWhole } from './upload.ts'
import { deleteAllVersions, deleteSomeVersion, restoreSomeVersion } from './versions.ts'

const KIBIBYTE = 1024
/** Files up to this size are stored together in one database. */
const SMALL = 128 * KIBIBYTE
const MEBIBYTE = 1024 * KIBIBYTE
/** Larger than any file here. The largest have six chunks of 4 MiB, and a replacement may have a byte more. */
const LARGEST = 32 * MEBIBYTE
/** The largest number of files in a request. */
const MAX_FILES = 40
/** With more items than this, a client only deletes. */
const MAX_ITEMS = 60

/** Makes random changes one after the other until `isOver` returns true. Ignores that the server died. */
export async function work(client: Client, isOver: () => boolean): Promise<void> {
  while (!isOver()) await ignoreServerGone(doSomething(client))
}

/** Waits for work and ignores that the server died. Throws every other error. */
export async function ignoreServerGone(doing: Promise<void>): Promise<void> {
  await doing.catch((error: unknown) => {
    if (!(error instanceof ServerGone)) throw error
  })
}

function doSomething(client: Client): Promise<void> {
  const { random } = client
  if (client.tree.size > MAX_ITEMS) return random.pick([trash, deletePermanently, empty])(client)
  return random.pick([
    sendSmall,
    sendSmall,
    sendMany,
    sendLarge,
    sendInChunks,
    sendInChunks,
    beginOnly,
    resume,
    replace,
    replace,
    restoreSomeVersion,
    deleteSomeVersion,
    deleteAllVersions,
    makeFolder,
    trash,
    trash,
    restore,
    deletePermanently,
    empty,
    cancel,
  ])(client)
}

export function sendSmall(client: Client): Promise<void> {
  return sendWhole(client, beginUpload(client, plan(client, client.random.between(0, SMALL), MEBIBYTE)))
}

/** Sends several small files with one request. */
export function sendMany(client: Client): Promise<void> {
  const uploads = Array.from({ length: client.random.between(2, MAX_FILES) }, () =>
    beginUpload(client, plan(client, client.random.between(0, MEBIBYTE / MAX_FILES), MEBIBYTE)),
  )
  return sendTogether(client, uploads)
}

export function sendLarge(client: Client): Promise<void> {
  const size = client.random.between(SMALL + 1, MEBIBYTE)
  return sendWhole(client, beginUpload(client, plan(client, size, MEBIBYTE)))
}

async function sendInChunks(client: Client): Promise<void> {
  const upload = beginUpload(client, chunkedPlan(client))
  await sendChunks(client, upload, client.random.shuffle(listMissing(upload)))
  await complete(client, upload)
}

/** Starts an upload without finishing it. */
async function beginOnly(client: Client): Promise<void> {
  const upload = beginUpload(client, chunkedPlan(client))
  const some = client.random.shuffle(listMissing(upload)).slice(1)
  await sendChunks(client, upload, some)
}

/** Finishes an unfinished upload. */
export async function resume(client: Client): Promise<void> {
  const [upload] = client.uploads
  if (!upload) return
  await sendChunks(client, upload, client.random.shuffle(listMissing(upload)))
  await complete(client, upload)
}

/** Replaces the bytes of a file. */
export async function replace(client: Client): Promise<void> {
  const files = listSeen(client.tree, 'file').filter(
    ({ name }) => ![...client.uploads].some((one) => one.name === name),
  )
  if (files.length === 0) return
  const { name, folder, content } = client.random.pick(files)
  // A different size makes the two versions easy to distinguish.
  const size = (content?.size ?? 0) === 0 ? 1000 : (content?.size ?? 0) + client.random.pick([-1, 1])
  const isWhole = client.random.isOnce(2)
  const upload = beginUpload(client, {
    ...plan(client, size, isWhole ? LARGEST : 100 * KIBIBYTE),
    name,
    folder,
    isReplacing: true,
  })
  if (isWhole) return sendWhole(client, upload)
  await sendChunks(client, upload, listMissing(upload))
  await complete(client, upload)
}

/** Plans an upload in chunks of up to `upTo` KiB. */
export function chunkedPlan(client: Client, upTo = 400): UploadPlan {
  const chunkSize = client.random.between(20, upTo) * KIBIBYTE
  return plan(client, chunkSize * client.random.between(1, 5) + client.random.between(1, chunkSize), chunkSize)
}

function plan(client: Client, size: number, chunkSize: number): UploadPlan {
  const { random } = client
  const folders = listSeen(client.tree, 'folder')
  return {
    name: client.newName('file'),
    folder: folders.length > 0 && random.isOnce(2) ? random.pick(folders).name : undefined,
    content: { number: random.between(0, 2 ** 32 - 1), size },
    chunkSize,
    isAnnounced: random.isOnce(2),
    isReplacing: false,
  }
}
