import { randomUUID } from 'node:crypto'
import { completeUpload } from '@alcove/contract/uploads'
import { bytesOf } from '../random.ts'
import { type Client, expectDone, type Upload, type UploadPlan } from './client.ts'
import { afterReplacing, type Tree, withEntries } from './tree.ts'

export function beginUpload(client: Client, plan: UploadPlan): Upload {
  const upload = { ...plan, id: randomUUID(), received: new Set<number>() }
  client.uploads.add(upload)
  return upload
}

function countChunks({ content, chunkSize }: UploadPlan): number {
  return Math.max(1, Math.ceil(content.size / chunkSize))
}

/** Returns the chunks that have not been acknowledged. */
export function listMissing(upload: Upload): number[] {
  return Array.from({ length: countChunks(upload) }, (_, index) => index).filter((index) => !upload.received.has(index))
}

/** Sends chunks, two at a time. */
export async function sendChunks(client: Client, upload: Upload, indexes: readonly number[]): Promise<void> {
  const rest = [...indexes]
  const sendNext = async (): Promise<void> => {
    for (let index = rest.shift(); index !== undefined; index = rest.shift()) await sendChunk(client, upload, index)
  }
  const lanes = await Promise.allSettled([sendNext(), sendNext()])
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
}

async function sendChunk(client: Client, upload: Upload, index: number): Promise<void> {
  // A chunk that is sent again counts as missing until it is acknowledged.
  upload.received.delete(index)
  const start = index * upload.chunkSize
  const chunk = bytesOf(upload.content).subarray(start, start + upload.chunkSize)
  await expectDone(`chunk ${index} of ${upload.name}`, () =>
    client.api.sendChunk(fieldsOf(client, upload, index), chunk),
  )
  upload.received.add(index)
}

function fieldsOf(client: Client, upload: Upload, chunkIndex: number) {
  const { id, name, folder, content, chunkSize, isAnnounced, isReplacing } = upload
  return {
    uploadId: id,
    filename: name,
    chunkIndex,
    totalChunks: countChunks(upload),
    ...(folder !== undefined && { folderId: client.idOf(folder) }),
    ...(isAnnounced && { totalSize: content.size, chunkSize }),
    ...(isReplacing && { onConflict: 'replace' }),
  }
}

/** Completes an upload. */
export async function complete(client: Client, upload: Upload): Promise<void> {
  await client.change(`the completion of ${upload.name}`, treeWith(client.tree, upload), () =>
    client.api.call(completeUpload, { uploadId: upload.id }),
  )
  client.uploads.delete(upload)
}

/** Sends a file in one chunk that completes it. The request can be repeated. */
export async function sendWhole(client: Client, upload: Upload): Promise<void> {
  // Otherwise the server would wait for more chunks, while the client would assume that the file is complete.
  if (countChunks(upload) !== 1) throw new Error(`${upload.name} does not fit into one chunk`)
  const fields = { ...fieldsOf(client, upload, 0), complete: true }
  await client.change(`the file ${upload.name}`, treeWith(client.tree, upload), () =>
    client.api.sendChunk(fields, bytesOf(upload.content)),
  )
  client.uploads.delete(upload)
}

/** Sends several small files with one request. The request can be repeated. */
export async function sendTogether(client: Client, uploads: readonly Upload[]): Promise<void> {
  const described = uploads.map((upload) => {
    const { uploadId, filename, folderId } = fieldsOf(client, upload, 0)
    return { uploadId, filename, folderId, size: upload.content.size }
  })
  const bytes = Buffer.concat(uploads.map(({ content }) => bytesOf(content)))
  const tree = uploads.reduce(treeWith, client.tree)
  const { body } = await client.change('files together', tree, () => client.api.sendFiles(described, bytes), uploads)
  for (const { file, refusal } of body.results ?? []) {
    if (!file) throw new Error(`a file sent together with others was rejected: ${JSON.stringify(refusal)}`)
    client.ids = new Map(client.ids).set(file.name, file.id)
  }
  for (const upload of uploads) client.uploads.delete(upload)
}

/** Returns the tree with the uploaded file. */
function treeWith(tree: Tree, { name, folder, content, isReplacing }: Upload): Tree {
  if (isReplacing) return afterReplacing(tree, name, content)
  return withEntries(tree, { name, folder, content, trash: undefined, versions: [] })
}
