import type { File as StoredFile } from '@alcove/contract/items'
import type { OnConflict } from '@alcove/contract/uploads'
import { ApiError } from './api.ts'
import type { UploadEnvironment } from './chunked-upload.ts'
import { randomId } from './random-id.ts'
import { createSpeedMeter } from './speed-meter.ts'
import { throttle } from './throttle.ts'
import type { UnfinishedUpload, UnfinishedUploads } from './unfinished-uploads.ts'
import { type Batch, createBatch, reopen, type Settlement, settle } from './upload-batches.ts'
import {
  addTransfer,
  createEntry,
  createTransfer,
  type Entry,
  type NewUpload,
  setSent,
  setStatus,
  type Transfer,
  type UploadTarget,
} from './upload-entries.ts'
import { takeFingerprint } from './upload-fingerprint.ts'
import { createUploadQueue } from './upload-queue.ts'
import { isSameFile, restoreEntry } from './upload-restore.ts'
import { createRunner } from './upload-runner.ts'
import { createSnapshot, type UploadsSnapshot } from './upload-snapshot.ts'
import type { UploadSource } from './upload-source.ts'

/** What the user says about a name that is taken. */
export type ConflictAnswer = Exclude<OnConflict, 'fail'> | 'skip'

export interface UploadListeners {
  /** Everything that was chosen in one go has come to its end. */
  batchSettled(batch: Readonly<Batch>): void
  /** A file has been stored. */
  stored(file: StoredFile, target: UploadTarget): void
  /** Uploads have been added, or were found unfinished. */
  added(): void
}

const NOTIFY_INTERVAL = 100
const ANOTHER_FILE = 'This is another file, or it has changed since. Choose the one whose upload began.'

/** The queue of uploads. It outlives every page; `subscribe` and `getSnapshot` are for `useSyncExternalStore`. */
export function createUploadStore(environment: UploadEnvironment, unfinished: UnfinishedUploads) {
  const { transport, connection } = environment
  const entries = new Map<string, Entry>()
  const records = new Map<string, UnfinishedUpload>()
  const subscribers = new Set<() => void>()
  const listeners = new Set<Partial<UploadListeners>>()
  const speed = createSpeedMeter()
  let owner: string | undefined
  let snapshot = takeSnapshot()
  // A stream that stops tells nothing: its speed has to be read again.
  let pulse: ReturnType<typeof setInterval> | undefined

  const changed = throttle(() => {
    snapshot = takeSnapshot()
    const isBusy = snapshot.uploading > 0
    if (isBusy && pulse === undefined) pulse = setInterval(refreshSpeeds, 1000)
    if (!isBusy) {
      clearInterval(pulse)
      pulse = undefined
    }
    for (const subscriber of subscribers) subscriber()
  }, NOTIFY_INTERVAL)
  connection.subscribe(changed)

  const run = createRunner({
    environment,
    unfinished,
    owner: () => owner,
    onProgress: speed.add,
    onChange: changed,
    onStored(transfer, file) {
      tell('stored', file, transfer.destination)
      settleOne(transfer, 'stored')
      changed()
    },
    onFailed(transfer, error, reason) {
      settleOne(transfer, 'failed', reason)
      // What lacks the room for one file has no room for the rest of its folder.
      if (error instanceof ApiError && error.status === 413) failWaiting(transfer.entry, reason)
    },
    onSessionOver: pauseAll,
  })
  const queue = createUploadQueue(run)

  function takeSnapshot(): UploadsSnapshot {
    const now = performance.now()
    return createSnapshot(entries.values(), speed.read(now), !connection.isOnline(), now)
  }

  function refreshSpeeds(): void {
    for (const entry of entries.values()) if (entry.counts.uploading > 0) entry.view = undefined
    changed()
  }

  function tell<E extends keyof UploadListeners>(event: E, ...told: Parameters<UploadListeners[E]>): void {
    for (const listener of listeners) {
      const hear = listener[event] as ((...told: Parameters<UploadListeners[E]>) => void) | undefined
      hear?.(...told)
    }
  }

  function settleOne({ entry }: Transfer, settlement: Settlement, reason?: string): void {
    if (settle(entry.batch, settlement, reason)) tell('batchSettled', { ...entry.batch })
  }

  function addEntry(entry: Entry): void {
    entries.set(entry.id, entry)
    for (const transfer of entry.transfers) if (transfer.status === 'waiting') queue.add(transfer)
    changed()
  }

  /** Adds files, each as an entry of its own, all told as one when they have ended. */
  function addFiles(files: readonly NewUpload[], target: UploadTarget): void {
    const batch = createBatch('file')
    for (const file of takeUpUnfinished(files, target)) addNew('file', file.source.name, [file], target, batch)
    tell('added')
  }

  /** Adds a folder with all its files as one entry. */
  function addFolder(name: string, files: readonly NewUpload[], target: UploadTarget): void {
    const rest = takeUpUnfinished(files, target)
    if (rest.length > 0) addNew('folder', name, rest, target)
    tell('added')
  }

  function addNew(
    kind: Entry['kind'],
    name: string,
    files: readonly NewUpload[],
    target: UploadTarget,
    batch = createBatch(kind),
  ): void {
    const entry = createEntry(randomId(), kind, name, batch)
    for (const file of files) addTransfer(entry, createTransfer(entry, file, target))
    addEntry(entry)
  }

  /** Goes on with the files whose upload was left unfinished, and gives back the others. */
  function takeUpUnfinished(files: readonly NewUpload[], target: UploadTarget): NewUpload[] {
    if (records.size === 0) return [...files]
    return files.filter((file) => {
      const record = [...records.values()].find((one) => isSameFile(one, file, target))
      if (!record) return true
      void resumeWith(record.uploadId, file.source).then((problem) => {
        if (problem) addNew('file', file.source.name, [file], target)
      })
      return false
    })
  }

  /** Changes the transfers of an entry that have one of the given statuses. */
  function eachTransfer(
    entryId: string,
    from: readonly Transfer['status'][],
    change: (transfer: Transfer) => void,
  ): void {
    for (const transfer of entries.get(entryId)?.transfers ?? []) if (from.includes(transfer.status)) change(transfer)
    changed()
  }

  function enqueue(transfer: Transfer): void {
    setStatus(transfer, 'waiting')
    queue.add(transfer)
  }

  function hold(transfer: Transfer): void {
    transfer.abort?.abort()
    setStatus(transfer, 'paused')
  }

  function pause(entryId: string): void {
    eachTransfer(entryId, ['waiting', 'uploading'], hold)
  }

  function resume(entryId: string): void {
    eachTransfer(entryId, ['paused'], (transfer) => transfer.source && enqueue(transfer))
  }

  function retry(entryId: string): void {
    eachTransfer(entryId, ['failed'], (transfer) => {
      reopen(transfer.entry.batch)
      enqueue(transfer)
    })
  }

  function pauseAll(): void {
    for (const id of entries.keys()) pause(id)
  }

  function resumeAll(): void {
    for (const id of entries.keys()) resume(id)
  }

  function failWaiting(entry: Entry, reason: string): void {
    eachTransfer(entry.id, ['waiting'], (transfer) => {
      setStatus(transfer, 'failed', reason)
      settleOne(transfer, 'failed', reason)
    })
  }

  /** Says what happens to the files of an entry whose names are taken. */
  function resolve(entryId: string, answer: ConflictAnswer): void {
    eachTransfer(entryId, ['conflict'], (transfer) => {
      if (answer !== 'skip') {
        transfer.onConflict = answer
        return enqueue(transfer)
      }
      giveUp(transfer)
      setSent(transfer, transfer.plan.size)
      setStatus(transfer, 'done')
      transfer.entry.skipped += 1
      settleOne(transfer, 'dropped')
    })
    const entry = entries.get(entryId)
    if (entry && entry.skipped === entry.transfers.length) remove(entry)
  }

  /** Stops an entry and takes it off the list; what it has stored already stays. */
  function cancel(entryId: string): void {
    const entry = entries.get(entryId)
    if (!entry) return
    // A part of a folder is neither 'uploaded successfully' nor failed.
    if (entry.kind === 'folder') Object.assign(entry.batch, { stored: 0, failed: 0 })
    eachTransfer(entryId, ['waiting', 'uploading', 'paused', 'conflict', 'failed'], (transfer) => {
      const isUnsettled = transfer.status !== 'failed'
      transfer.abort?.abort()
      setStatus(transfer, 'done')
      giveUp(transfer)
      if (isUnsettled) settleOne(transfer, 'dropped')
    })
    remove(entry)
  }

  function remove(entry: Entry): void {
    entries.delete(entry.id)
    records.delete(entry.id)
    changed()
  }

  /** Tells the server, so that the room is free again; if that fails the upload expires by itself. */
  function giveUp(transfer: Transfer): void {
    transfer.source = undefined
    if (!transfer.isBegun) return
    if (transfer.plan.totalChunks > 1) void unfinished.forget(transfer.uploadId)
    environment.slots
      .use(0, new AbortController().signal, () => transport.cancelUpload(transfer.uploadId))
      .catch(() => undefined)
  }

  /** Takes what has ended off the list. */
  function clearSettled(): void {
    for (const { id, counts, transfers } of entries.values()) {
      if (counts.done + counts.failed === transfers.length) cancel(id)
    }
  }

  /**
   * Goes on with an upload that a reload interrupted, given its file anew. Gives back what is wrong, in words, when the
   * file is not the one whose first part the server has.
   */
  async function resumeWith(
    entryId: string,
    source: UploadSource & { lastModified?: number },
  ): Promise<string | undefined> {
    const record = records.get(entryId)
    const [transfer] = entries.get(entryId)?.transfers ?? []
    if (!record || !transfer || transfer.source) return undefined
    const isLikely = source.size === record.size && source.lastModified === record.lastModified
    if (!isLikely || (await takeFingerprint(source).catch(() => undefined)) !== record.fingerprint) return ANOTHER_FILE
    records.delete(entryId)
    transfer.source = source
    resume(entryId)
    return undefined
  }

  /** Says whose uploads these are: those of another user stop and go, and what this one left unfinished comes back. */
  async function open(user: string): Promise<void> {
    if (user === owner) return
    for (const entry of entries.values()) {
      for (const { abort } of entry.transfers) abort?.abort()
      remove(entry)
    }
    owner = user
    for (const record of await unfinished.list(user)) {
      const known = await transport
        .getUpload(record.uploadId, new AbortController().signal)
        .catch((error: unknown) => (error instanceof ApiError && error.status === 404 ? 'gone' : 'unknown'))
      if (owner !== user) return
      if (known === 'gone' || (typeof known === 'object' && known.file)) void unfinished.forget(record.uploadId)
      else if (!entries.has(record.uploadId)) {
        records.set(record.uploadId, record)
        addEntry(restoreEntry(record, typeof known === 'object' ? known.received : []))
        tell('added')
      }
    }
  }

  return {
    subscribe(subscriber: () => void) {
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    getSnapshot: () => snapshot,
    listen(listener: Partial<UploadListeners>) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    ...{
      open,
      addFiles,
      addFolder,
      pause,
      resume,
      retry,
      resolve,
      cancel,
      resumeWith,
      pauseAll,
      resumeAll,
      clearSettled,
    },
  }
}

export type UploadStore = ReturnType<typeof createUploadStore>
