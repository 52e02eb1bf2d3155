import { ApiError } from '../../api/api.ts'
import { needsFile } from '../engine/create-upload-view.ts'
import type { UploadBoard } from '../engine/upload-board.ts'
import { type NewUpload, setSent, type Transfer, type UploadTarget } from '../engine/upload-entries.ts'
import type { UploadEnvironment } from '../engine/upload-environment.ts'
import { chunkLength } from '../transport/chunk-plan.ts'
import type { UnfinishedUpload, UnfinishedUploads } from './unfinished-uploads.ts'
import { proveChunks } from './upload-proof.ts'
import { looksLike, placeOf, restoreEntries } from './upload-restore.ts'

interface Resuming {
  readonly environment: UploadEnvironment
  readonly unfinished: UnfinishedUploads
  readonly board: UploadBoard
  readonly isOwner: (user: string) => boolean
  readonly onFound: () => void
  readonly beginAnew: (transfer: Transfer, source: NewUpload['source']) => void
}

/** What came of files that were chosen to go on with unfinished uploads. */
export interface ChosenAgain {
  readonly resumed: number
  /** Have changed since: their uploads start again. */
  readonly changed: readonly string[]
  /** Belong to no unfinished upload. */
  readonly others: readonly NewUpload[]
}

/** Brings back what a reload interrupted, and goes on with it when its files are chosen again. */
export function createResuming({ environment, unfinished, board, isOwner, onFound, beginAnew }: Resuming) {
  const { transport } = environment
  const { signal } = new AbortController()
  let proving: Promise<unknown> = Promise.resolve()

  async function show(records: UnfinishedUpload[]): Promise<void> {
    const known = new Set([...board.entries.values()].flatMap(({ transfers }) => transfers.map((one) => one.uploadId)))
    const left = await withoutStored(records.filter(({ uploadId }) => !known.has(uploadId)))
    const entries = restoreEntries(left.filter(({ owner }) => isOwner(owner)))
    for (const entry of entries) {
      for (const transfer of entry.transfers) if (transfer.plan.totalChunks > 1) void readSent(transfer)
      board.add(entry)
    }
    if (entries.length > 0) onFound()
  }

  /** Some may have been stored in the moment in which the page went. */
  async function withoutStored(records: UnfinishedUpload[]): Promise<UnfinishedUpload[]> {
    if (records.length === 0) return []
    const uploadIds = records.map(({ uploadId }) => uploadId).slice(0, 10_000)
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
    board.changed()
    return received ?? []
  }

  function isWanted(transfer: Transfer): boolean {
    return needsFile(transfer) && !transfer.isChecking
  }

  /** What the server has of a file is compared with it; one large file after the other, for each is read from the disk. */
  function prove(transfer: Transfer, source: NewUpload['source']): Promise<ReadonlySet<number> | undefined> {
    if (transfer.plan.totalChunks === 1) return Promise.resolve(new Set())
    const proof = proving.then(async () => proveChunks(transfer, source, await readSent(transfer), unfinished))
    proving = proof.catch(() => undefined)
    return proof.catch(() => undefined)
  }

  /** Goes on with an upload, or starts it again where its file has changed; gives whether it has. */
  async function goOn(transfer: Transfer, source: NewUpload['source']): Promise<'resumed' | 'changed'> {
    transfer.isChecking = true
    transfer.entry.view = undefined
    board.changed()
    const same = transfer.seal ? source.withSeal?.(transfer.seal, transfer.plan.chunkSize) : source
    // Of one encrypted chunk nothing can be gone on with: it begins anew, under a seal of its own.
    const isWhole = transfer.seal !== undefined && transfer.plan.totalChunks === 1
    const proven = same && !isWhole && looksLike(transfer, source) ? await prove(transfer, same) : undefined
    transfer.isChecking = false
    transfer.entry.view = undefined
    if (!board.entries.has(transfer.entry.id)) return 'resumed' // cancelled meanwhile
    if (proven) {
      transfer.source = same
      transfer.proven = proven
    } else {
      beginAnew(transfer, source)
      if (!isWhole) transfer.entry.note = `${transfer.name} has changed since: its upload starts again.`
    }
    board.enqueue(transfer)
    board.changed()
    return proven || isWhole ? 'resumed' : 'changed'
  }

  /** Finds the unfinished uploads that files belong to: by their paths in a chosen folder, else by what they look like. */
  async function chooseAgain(files: readonly NewUpload[], entryId?: string): Promise<ChosenAgain> {
    const entries = entryId === undefined ? [...board.entries.values()] : [board.entries.get(entryId)]
    // What belongs to the vault is chosen again there, together with the passphrase: these files are not encrypted.
    const wanted = entries.flatMap((entry) => entry?.transfers.filter((one) => isWanted(one) && !one.seal) ?? [])
    const byPlace = groupBy(wanted, (one) => one.destination.relativePath ?? one.name)
    const byName = groupBy(wanted, (one) => one.name)
    const others: NewUpload[] = []
    const chosen = new Map<Transfer, NewUpload['source']>()
    for (const file of files) {
      const named = [...(byPlace.get(placeOf(file)) ?? []), ...(byName.get(file.source.name) ?? [])].filter(
        (one) => !chosen.has(one),
      )
      const transfer = named.find((one) => looksLike(one, file.source)) ?? (named.length === 1 ? named[0] : undefined)
      if (transfer) chosen.set(transfer, file.source)
      else others.push(file)
    }
    const changed: string[] = []
    const goOnAndNote = async ([transfer, source]: [Transfer, NewUpload['source']]) => {
      if ((await goOn(transfer, source)) === 'changed') changed.push(transfer.name)
    }
    await Promise.all([...chosen].map(goOnAndNote))
    return { resumed: chosen.size - changed.length, changed, others }
  }

  /** Goes on with those of newly chosen files whose upload to the same place was left unfinished; gives the others back. */
  function takeUp(files: readonly NewUpload[], { parentFolderId, isEncrypted }: UploadTarget): NewUpload[] {
    const wanted = [...board.entries.values()].flatMap(({ transfers }) => transfers.filter(isWanted))
    const here = wanted.filter(
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
    restoreAll: (user: string) => unfinished.takeOver(user, (records) => void show(records)),
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
