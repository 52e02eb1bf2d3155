import { MAX_VERIFIED_UPLOADS, MEBIBYTE } from '@alcove/contract/limits'
import { ApiError } from '../api/api.ts'
import type { UploadEnvironment, UploadSource } from './chunked-upload.ts'
import { chunkLength, chunkRange, cutInto } from './planner.ts'
import {
  addTransfer,
  createBatch,
  createEntry,
  type Entry,
  type NewUpload,
  type QueueAccess,
  setSent,
  setState,
  type Transfer,
  transfersIn,
  type UploadTarget,
} from './transfer.ts'
import type { ChunkBytes } from './transport.ts'
import type { UnfinishedUpload, UnfinishedUploads } from './unfinished-uploads.ts'
import { needsFile } from './upload-view.ts'

interface Resuming {
  readonly environment: UploadEnvironment
  readonly unfinished: UnfinishedUploads
  readonly queue: QueueAccess
  readonly isOwner: (user: string) => boolean
  readonly onFound: () => void
}

/** The result of choosing files again for unfinished uploads. */
export interface ChosenAgain {
  readonly resumed: number
  /** The names of files that have changed, so their uploads restart. */
  readonly changed: readonly string[]
  /** Files that belong to no unfinished upload. */
  readonly others: readonly NewUpload[]
}

/** Brings back the uploads that a reload interrupted, and resumes them when their files are chosen again. */
export function createResuming({ environment, unfinished, queue, isOwner, onFound }: Resuming) {
  const { transport } = environment
  const { signal } = new AbortController()
  let proving: Promise<unknown> = Promise.resolve()

  async function show(records: UnfinishedUpload[]): Promise<void> {
    const known = new Set([...queue.entries.values()].flatMap(({ transfers }) => transfers.map((one) => one.uploadId)))
    const left = await withoutStored(records.filter(({ uploadId }) => !known.has(uploadId)))
    const entries = restoreEntries(left.filter(({ owner }) => isOwner(owner)))
    for (const entry of entries) {
      for (const transfer of entry.transfers) if (transfer.plan.totalChunks > 1) void readSent(transfer)
      queue.add(entry)
    }
    if (entries.length > 0) onFound()
  }

  /** Returns the records without those of uploads that were completed while the page was closing. */
  async function withoutStored(records: UnfinishedUpload[]): Promise<UnfinishedUpload[]> {
    if (records.length === 0) return []
    const uploadIds = records.map(({ uploadId }) => uploadId).slice(0, MAX_VERIFIED_UPLOADS)
    const response = await transport.verifyUploads(uploadIds, signal).catch(() => undefined)
    const stored = new Set([...(response?.stored.map(({ uploadId }) => uploadId) ?? []), ...(response?.gone ?? [])])
    for (const uploadId of stored) unfinished.forget(uploadId)
    return records.filter(({ uploadId }) => !stored.has(uploadId))
  }

  /** Shows how much of a large file the server has. */
  async function readSent(transfer: Transfer): Promise<number[]> {
    const ask = () => transport.getUpload(transfer.uploadId, signal)
    const received = await environment.slots.use(0, signal, ask).then(
      (known) => known.received,
      (error: unknown) => (error instanceof ApiError && error.status === 404 ? [] : undefined),
    )
    transfer.isBegun = received === undefined || received.length > 0
    const bytes = (received ?? []).reduce((total, index) => total + chunkLength(transfer.plan, index), 0)
    if (needsFile(transfer)) setSent(transfer, bytes)
    queue.changed()
    return received ?? []
  }

  /** Lists the transfers of an entry whose files have to be chosen again. */
  function listWanted(entry: Entry | undefined): Transfer[] {
    return transfersIn(entry, 'paused').filter(({ state }) => state.by === 'reload')
  }

  /** Compares the chunks on the server with the file. Large files are read from disk, so one is checked at a time. */
  function prove(transfer: Transfer, source: UploadSource): Promise<ReadonlySet<number> | undefined> {
    if (transfer.plan.totalChunks === 1) return Promise.resolve(new Set())
    const proof = proving.then(async () => proveChunks(transfer, source, await readSent(transfer), unfinished))
    proving = proof.catch(() => undefined)
    return proof.catch(() => undefined)
  }

  /** Resumes an upload, or restarts it if its file has changed. Returns which. */
  async function goOn(transfer: Transfer, source: UploadSource): Promise<'resumed' | 'changed'> {
    setState(transfer, { status: 'hashing' })
    queue.changed()
    const same = transfer.seal ? source.withSeal?.(transfer.seal, transfer.plan.chunkSize) : source
    // An encrypted upload of one chunk has nothing to resume, so it restarts under a new seal.
    const isWhole = transfer.seal !== undefined && transfer.plan.totalChunks === 1
    const proven = same && !isWhole && looksLike(transfer, source) ? await prove(transfer, same) : undefined
    if (!queue.entries.has(transfer.entry.id)) return 'resumed' // cancelled meanwhile
    if (same && proven) {
      transfer.proven = proven
      queue.enqueue(transfer, same)
    } else {
      queue.beginAnew(transfer, source)
      if (!isWhole) transfer.entry.note = `${transfer.name} has changed, so its upload starts again.`
      queue.enqueue(transfer, source)
    }
    queue.changed()
    return proven || isWhole ? 'resumed' : 'changed'
  }

  /** Resumes the unfinished uploads that match the files by path in a chosen folder, else by size and date. */
  async function chooseAgain(files: readonly NewUpload[], entryId?: string): Promise<ChosenAgain> {
    const entries = entryId === undefined ? [...queue.entries.values()] : [queue.entries.get(entryId)]
    // Uploads to the vault are resumed there, because they need the passphrase. The files given here are not encrypted.
    const wanted = entries.flatMap(listWanted).filter(({ seal }) => !seal)
    const byPlace = groupBy(wanted, (one) => one.destination.relativePath ?? one.name)
    const byName = groupBy(wanted, (one) => one.name)
    const others: NewUpload[] = []
    const chosen = new Map<Transfer, UploadSource>()
    for (const file of files) {
      const named = [...(byPlace.get(placeOf(file)) ?? []), ...(byName.get(file.source.name) ?? [])].filter(
        (one) => !chosen.has(one),
      )
      const transfer = named.find((one) => looksLike(one, file.source)) ?? (named.length === 1 ? named[0] : undefined)
      if (transfer) chosen.set(transfer, file.source)
      else others.push(file)
    }
    const changed: string[] = []
    const goOnAndNote = async ([transfer, source]: [Transfer, UploadSource]) => {
      if ((await goOn(transfer, source)) === 'changed') changed.push(transfer.name)
    }
    await Promise.all([...chosen].map(goOnAndNote))
    return { resumed: chosen.size - changed.length, changed, others }
  }

  /** Resumes the newly chosen files whose upload to the same place was interrupted. Returns the others. */
  function takeUp(files: readonly NewUpload[], { parentFolderId, isEncrypted }: UploadTarget): NewUpload[] {
    const here = [...queue.entries.values()]
      .flatMap(listWanted)
      .filter(
        ({ destination }) =>
          destination.parentFolderId === parentFolderId && Boolean(destination.isEncrypted) === Boolean(isEncrypted),
      )
    if (here.length === 0) return [...files]
    const byPlace = new Map(here.map((one) => [one.destination.relativePath ?? one.name, one]))
    return files.filter((file) => {
      const transfer = byPlace.get(placeOf(file))
      if (!transfer || transfer.destination.relativePath !== file.relativePath) return true
      byPlace.delete(placeOf(file))
      void goOn(transfer, file.source)
      return false
    })
  }

  return {
    restoreAll: (user: string, address?: string) => unfinished.takeOver(user, (records) => void show(records), address),
    chooseAgain,
    takeUp,
  }
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}

/** Returns the record for resuming an upload after a reload; undefined if it cannot be resumed. */
export function recordOf(
  { uploadId, entry, name, plan, destination, lastModified, seal }: Transfer,
  owner: string,
): UnfinishedUpload | undefined {
  // A source without a date is generated on demand. An encrypting source can be resumed only under its seal.
  if (lastModified === undefined || (destination.isEncrypted && !seal)) return undefined
  const { parentFolderId, relativePath } = destination
  const { size, chunkSize } = plan
  return {
    ...{ uploadId, owner, name, size, lastModified, chunkSize, parentFolderId, relativePath, seal },
    ...{ entryId: entry.id, entryKind: entry.kind, entryName: entry.name, folderName: entry.target.folderName },
    startedAt: Date.now(),
  }
}

/** Restores the entries of unfinished uploads, paused and without their files. */
function restoreEntries(records: readonly UnfinishedUpload[]): Entry[] {
  const entries = new Map<string, Entry>()
  for (const record of records) {
    const { entryId, entryKind, entryName, parentFolderId, folderName } = record
    const target = { parentFolderId, folderName, isEncrypted: isEncrypted(record) }
    const batch = createBatch(entryKind, target.isEncrypted)
    const entry = entries.get(entryId) ?? createEntry(entryId, entryKind, entryName, target, batch)
    entries.set(entryId, entry)
    addTransfer(restoreTransfer(entry, record))
  }
  return [...entries.values()]
}

function restoreTransfer(entry: Entry, record: UnfinishedUpload): Transfer {
  const { uploadId, name, size, chunkSize, lastModified, seal, parentFolderId, relativePath } = record
  return {
    ...{ uploadId, entry, name, lastModified, seal },
    plan: cutInto(size, chunkSize),
    destination: { parentFolderId, relativePath, isEncrypted: isEncrypted(record) },
    state: { status: 'paused', by: 'reload' },
    ...{ sent: 0, onConflict: 'fail', isBegun: false },
  }
}

function isEncrypted({ seal }: UnfinishedUpload): true | undefined {
  return seal ? true : undefined
}

/** Returns the path of a file in the chosen folder, or else its name. */
function placeOf({ source, relativePath }: NewUpload): string {
  return relativePath ?? source.name
}

/** Returns whether a chosen file may be that of an interrupted upload. The digests of sent chunks decide later. */
function looksLike({ plan, lastModified }: Transfer, { size, lastModified: chosen }: UploadSource) {
  return plan.size === size && lastModified === chosen
}

/**
 * Compares a file that was chosen again with the chunks on the server. Returns the chunks that are verified to be the
 * same, or undefined if one differs because the file has changed. A chunk without a digest is not verified, so it is
 * sent again.
 *
 * An encrypted upload resumes under its seal only if every chunk that was ever sent is verified, whether or not it was
 * received, because encrypting other bytes under the same seal would reveal both. Without digests, nothing is verified.
 */
async function proveChunks(
  { uploadId, plan }: Transfer,
  source: UploadSource,
  received: readonly number[],
  unfinished: UnfinishedUploads,
): Promise<Set<number> | undefined> {
  const known = await unfinished.listChunks(uploadId)
  if (source.seal && known === undefined) return undefined
  const digests = known ?? new Map<number, string>()
  if (source.seal && received.some((index) => !digests.has(index))) return undefined
  const proven = new Set<number>()
  for (const index of source.seal ? digests.keys() : received) {
    const digest = digests.get(index)
    if (digest === undefined) continue
    const { start, end } = chunkRange(plan, index)
    const chunk = await source.slice(start, end)
    if ((await digestChunk(chunk)) !== digest) return undefined
    proven.add(index)
  }
  return proven
}

/** The number of bytes of a chunk that are in memory at a time. */
const BLOCK = 4 * MEBIBYTE

/**
 * Computes the digest of a chunk: the SHA-256 of the SHA-256s of its blocks, so that a whole chunk of a file is never
 * in memory. Returns undefined if WebCrypto is missing, as on a page loaded over plain HTTP.
 */
export async function digestChunk(chunk: ChunkBytes): Promise<string | undefined> {
  const { subtle } = crypto
  if (!subtle) return undefined
  const blocks: ArrayBuffer[] = []
  const size = chunk instanceof Blob ? chunk.size : chunk.length
  for (let from = 0; from < size; from += BLOCK) {
    const block =
      chunk instanceof Blob ? chunk.slice(from, from + BLOCK).arrayBuffer() : chunk.subarray(from, from + BLOCK)
    blocks.push(await subtle.digest('SHA-256', await block))
  }
  const digest = await subtle.digest('SHA-256', await new Blob(blocks).arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
