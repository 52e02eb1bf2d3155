import type { OnConflict } from '@alcove/contract/uploads'
import { ApiError } from './api.ts'
import type { UploadEnvironment } from './chunked-upload.ts'
import { randomId } from './random-id.ts'
import { createSpeedMeter } from './speed-meter.ts'
import { throttle } from './throttle.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'
import { createBatch, reopen, type Settlement, settle } from './upload-batches.ts'
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
import { createUploadEvents } from './upload-events.ts'
import { createUploadQueue } from './upload-queue.ts'
import { createResuming } from './upload-resuming.ts'
import { createRunner } from './upload-runner.ts'
import { createSnapshot, type UploadsSnapshot } from './upload-snapshot.ts'

/** What the user says about a name that is taken. */
export type ConflictAnswer = Exclude<OnConflict, 'fail'> | 'skip'

const NOTIFY_INTERVAL = 100

/** The queue of uploads. It outlives every page; `subscribe` and `getSnapshot` are for `useSyncExternalStore`. */
export function createUploadStore(environment: UploadEnvironment, unfinished: UnfinishedUploads) {
  const { transport, connection } = environment
  const entries = new Map<string, Entry>()
  const subscribers = new Set<() => void>()
  const { listen, tell } = createUploadEvents()
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
  const resuming = createResuming({
    transport,
    unfinished,
    entries,
    isOwner: (user) => user === owner,
    onFound(entry) {
      addEntry(entry)
      tell('added')
    },
    resume,
  })

  function takeSnapshot(): UploadsSnapshot {
    const now = performance.now()
    return createSnapshot(entries.values(), speed.read(now), !connection.isOnline(), now)
  }

  function refreshSpeeds(): void {
    for (const entry of entries.values()) if (entry.counts.uploading > 0) entry.view = undefined
    changed()
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
    const addFile = (file: NewUpload) => addNew('file', file.source.name, [file], target, batch)
    for (const file of resuming.takeUp(files, target, addFile)) addFile(file)
    tell('added')
  }

  /** Adds a folder with all its files as one entry. */
  function addFolder(name: string, files: readonly NewUpload[], target: UploadTarget): void {
    const rest = resuming.takeUp(files, target, (file) => addNew('folder', name, [file], target))
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
    resuming.forget(entry.id)
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

  /** Says whose uploads these are: those of another user stop and go, and what this one left unfinished comes back. */
  async function open(user: string): Promise<void> {
    if (user === owner) return
    for (const entry of entries.values()) {
      for (const { abort } of entry.transfers) abort?.abort()
      remove(entry)
    }
    owner = user
    await resuming.restoreAll(user)
  }

  return {
    subscribe(subscriber: () => void) {
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    getSnapshot: () => snapshot,
    listen,
    resumeWith: resuming.resumeWith,
    ...{
      open,
      addFiles,
      addFolder,
      pause,
      resume,
      retry,
      resolve,
      cancel,
      pauseAll,
      resumeAll,
      clearSettled,
    },
  }
}

export type UploadStore = ReturnType<typeof createUploadStore>
