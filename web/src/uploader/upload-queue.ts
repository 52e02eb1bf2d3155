import type { File as StoredFile } from '@alcove/contract/items'
import { MAX_FOLDER_PATHS } from '@alcove/contract/limits'
import { ApiError } from '../api/api.ts'
import { withRetries } from '../api/retries.ts'
import type { HeldLock } from '../items/held-locks.ts'
import { randomId } from '../lib/random-id.ts'
import { throttle } from '../lib/throttle.ts'
import { createAdmission } from './admission.ts'
import type { UploadEnvironment, UploadSource } from './chunked-upload.ts'
import { createLanes } from './concurrency.ts'
import { createReceipts } from './receipts.ts'
import { type ChosenAgain, createResuming, recordOf } from './resume.ts'
import { createRunner } from './run-transfer.ts'
import { createSpeedMeter } from './speed-meter.ts'
import {
  addNewTransfer,
  type Batch,
  type ConflictChoice,
  createBatch,
  createEntry,
  type Entry,
  type NewUpload,
  noteThinned,
  type QueueAccess,
  renewedSource,
  reopen,
  type Settlement,
  setSent,
  setState,
  settle,
  startAnew,
  type Transfer,
  transfersIn,
  type UploadTarget,
} from './transfer.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'
import { createSnapshot, type UploadsSnapshot } from './upload-view.ts'

/** Events of the queue. Only current listeners receive them. */
export interface UploadListeners {
  /** All files of a batch have settled. */
  batchSettled(batch: Readonly<Batch>): void
  /** A file has been stored. */
  stored(file: StoredFile, target: UploadTarget): void
  /** The empty folders were created, or `problem` says why not. `isAll`: nothing else was chosen. */
  foldersCreated(result: { readonly target: UploadTarget; readonly problem?: string; readonly isAll: boolean }): void
  /** Uploads were added, or unfinished ones were found. The vault's own screen shows uploads to the vault. */
  added(uploads: { readonly isEncrypted: boolean }): void
}

/** A failed file in the list of failures. */
export interface Failure {
  readonly name: string
  readonly reason: string
}

/** The time between two snapshots, and between two readings of the speed, in milliseconds. */
const NOTIFY_INTERVAL = 100
const SPEED_INTERVAL = 1000

/** Sorts `file 2` before `file 10`, unlike browsers. */
const byName = new Intl.Collator(undefined, { numeric: true })

/** The queue of uploads. It outlives every page; `subscribe` and `getSnapshot` are for `useSyncExternalStore`. */
export class UploadQueue {
  readonly #environment: UploadEnvironment
  readonly #unfinished: UnfinishedUploads
  readonly #entries = new Map<string, Entry>()
  readonly #speed = createSpeedMeter()
  readonly #subscribers = new Set<() => void>()
  readonly #listeners = new Set<Partial<UploadListeners>>()
  readonly #lanes: { add(transfer: Transfer): void }
  readonly #admit: ReturnType<typeof createAdmission>
  readonly #receipts: ReturnType<typeof createReceipts>
  readonly #resuming: ReturnType<typeof createResuming>
  /** The user whose uploads these are. */
  #owner: string | undefined
  #snapshot: UploadsSnapshot | undefined
  #pulse: ReturnType<typeof setInterval> | undefined

  constructor(environment: UploadEnvironment, unfinished: UnfinishedUploads) {
    this.#environment = environment
    this.#unfinished = unfinished
    const queue: QueueAccess = {
      entries: this.#entries,
      changed: this.#changed,
      add: (entry) => this.#add(entry),
      enqueue: (transfer, source) => this.#enqueue(transfer, source),
      fail: (transfer, source, reason, exceedsQuota) => this.#fail(transfer, source, reason, exceedsQuota),
      beginAnew: (transfer, source) => this.#beginAnew(transfer, source),
    }
    this.#admit = createAdmission(queue, environment.transport)
    this.#receipts = createReceipts(queue, environment)
    this.#resuming = createResuming({
      ...{ environment, unfinished, queue },
      isOwner: (user) => user === this.#owner,
      onFound: () => this.#tell('added', { isEncrypted: false }),
    })
    this.#lanes = createLanes(
      createRunner({
        ...{ environment, unfinished },
        onProgress: this.#speed.add,
        onChange: this.#changed,
        onStored: (transfer, { thinnedBytes = 0, ...file }) => {
          noteThinned(transfer, thinnedBytes)
          this.#tell('stored', file, transfer.entry.target)
          this.#settle(transfer, 'stored')
          this.#changed()
        },
        onFailed: (transfer, source, error) => this.#failBy(error, transfer, source),
        onTaken: (transfer, source, existing, reason) => {
          setState(transfer, { status: 'conflict', source, existing, reason })
          const { choice } = transfer.entry.batch
          // A decision that did not resolve the conflict is not applied again.
          if (choice && transfer.onConflict === 'fail') this.#decide(transfer, source, choice)
        },
        onSessionOver: () => this.suspend(),
        onUnknown: (transfer, source) => {
          this.#beginAnew(transfer, source)
          this.#enqueue(transfer, source)
        },
      }),
    )
    environment.connection.subscribe(this.#changed)
  }

  readonly subscribe = (subscriber: () => void) => {
    this.#subscribers.add(subscriber)
    return () => void this.#subscribers.delete(subscriber)
  }

  readonly getSnapshot = (): UploadsSnapshot => {
    this.#snapshot ??= this.#takeSnapshot()
    return this.#snapshot
  }

  listen(listener: Partial<UploadListeners>): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Sets the user. Stops and removes the uploads of another user, and restores this user's unfinished uploads, also those that earlier
   * versions stored under the email address.
   */
  async open(user: string, address?: string): Promise<void> {
    if (user === this.#owner) return this.#resumeSuspended()
    for (const entry of this.#entries.values()) {
      for (const { state } of transfersIn(entry, 'sending')) state.abort.abort()
      this.#remove(entry)
    }
    this.#owner = user
    await this.#resuming.restoreAll(user, address)
  }

  /** Adds files, each as its own entry. They form one batch. */
  addFiles(files: readonly NewUpload[], target: UploadTarget): void {
    const batch = createBatch('file', target.isEncrypted)
    const left = this.#resuming.takeUp(files, target).toSorted((a, b) => byName.compare(a.source.name, b.source.name))
    this.#begin(left.map((file) => createNew('file', file.source.name, [file], target, batch)))
  }

  /** Adds a folder with all its files as one entry; `emptyFolders` are the paths of those without files. */
  addFolder(
    name: string,
    files: readonly NewUpload[],
    target: UploadTarget,
    emptyFolders: readonly string[] = [],
  ): void {
    const left = this.#resuming.takeUp(files, target)
    if (left.length > 0)
      this.#begin([createNew('folder', name, left, target, createBatch('folder', target.isEncrypted))])
    if (emptyFolders.length === 0) return
    void createEmptyFolders(this.#environment, emptyFolders, target).then((problem) =>
      this.#tell('foldersCreated', { target, problem, isAll: files.length === 0 }),
    )
  }

  /** Resumes unfinished uploads, of one entry or of all, with files that were chosen again. */
  chooseAgain(files: readonly NewUpload[], entryId?: string): Promise<ChosenAgain> {
    return this.#resuming.chooseAgain(files, entryId)
  }

  pause(entryId: string): void {
    this.#pause(this.#entries.get(entryId), 'user')
  }

  resume(entryId: string): void {
    for (const transfer of transfersIn(this.#entries.get(entryId), 'paused')) {
      if (transfer.state.by !== 'reload') this.#enqueue(transfer, transfer.state.source)
    }
    this.#changed()
  }

  retry(entryId: string): void {
    const failed = transfersIn(this.#entries.get(entryId), 'failed')
    for (const transfer of failed) {
      const { state } = transfer
      reopen(transfer.entry.batch)
      const renewed = renewedSource(transfer, state)
      if (renewed) this.#beginAnew(transfer, renewed)
      setState(transfer, { status: 'waiting', source: renewed ?? state.source, isAdmitted: false })
    }
    void this.#admit(failed)
    this.#changed()
  }

  /** Cancels an entry and removes it. Files that are already stored are kept. */
  cancel(entryId: string): void {
    const entry = this.#entries.get(entryId)
    if (!entry) return
    // A cancelled folder was neither 'uploaded successfully' nor failed, so its batch isn't announced.
    if (entry.kind === 'folder') Object.assign(entry.batch, { stored: 0, failed: 0 })
    const open = ['waiting', 'hashing', 'sending', 'paused', 'conflict', 'failed'] as const
    for (const transfer of transfersIn(entry, ...open)) {
      const { state } = transfer
      if (state.status === 'sending') state.abort.abort()
      setState(transfer, { status: 'cancelled' })
      this.#giveUp(transfer)
      if (state.status !== 'failed') this.#settle(transfer, 'dropped')
    }
    this.#remove(entry)
  }

  pauseAll(): void {
    for (const entry of this.#entries.values()) this.#pause(entry, 'user')
  }

  resumeAll(): void {
    for (const id of this.#entries.keys()) this.resume(id)
  }

  retryAll(): void {
    for (const { id, counts } of this.#entries.values()) if (counts.failed > 0) this.retry(id)
  }

  /** Pauses all uploads because the session has ended. */
  suspend(): void {
    for (const entry of this.#entries.values()) this.#pause(entry, 'session')
  }

  /** Applies a decision to the first taken name of an entry, or to all current and later ones of the batch. */
  resolve(entryId: string, choice: ConflictChoice, forAll: boolean): void {
    const entry = this.#entries.get(entryId)
    if (!entry) return
    for (const one of forAll ? [...this.#entries.values()] : [entry]) {
      const taken = transfersIn(one, 'conflict')
      if (forAll && taken.length > 0) one.batch.choice = choice
      for (const transfer of forAll ? taken : taken.slice(0, 1)) this.#decide(transfer, transfer.state.source, choice)
    }
    this.#changed()
  }

  /** Lists the failed files of an entry, up to a limit. */
  listFailures(entryId: string, limit: number): Failure[] {
    return transfersIn(this.#entries.get(entryId), 'failed')
      .slice(0, limit)
      .map(({ name, destination, state }) => ({ name: destination.relativePath ?? name, reason: state.reason }))
  }

  /** Removes the entries that have settled. */
  clearSettled(): void {
    for (const { id, counts, transfers } of [...this.#entries.values()]) {
      if (counts.done + counts.failed + counts.cancelled === transfers.length) this.cancel(id)
    }
  }

  readonly #changed = throttle(() => {
    const snapshot = this.#takeSnapshot()
    this.#snapshot = snapshot
    // Stalled requests report no progress, so the speed is read regularly.
    const isBusy = snapshot.uploading > 0
    if (isBusy) this.#pulse ??= setInterval(() => this.#refreshSpeeds(), SPEED_INTERVAL)
    else {
      clearInterval(this.#pulse)
      this.#pulse = undefined
    }
    for (const subscriber of this.#subscribers) subscriber()
  }, NOTIFY_INTERVAL)

  #takeSnapshot(): UploadsSnapshot {
    const now = performance.now()
    const isOffline = !this.#environment.connection.isOnline()
    const surroundings = { speed: this.#speed.read(now), isOffline, isVerifying: this.#receipts.isRunning() }
    return createSnapshot(this.#entries.values(), surroundings, now)
  }

  #refreshSpeeds(): void {
    for (const entry of this.#entries.values()) if (entry.counts.sending > 0) entry.view = undefined
    this.#changed()
  }

  #tell<E extends keyof UploadListeners>(event: E, ...told: Parameters<UploadListeners[E]>): void {
    for (const listener of this.#listeners) {
      const hear = listener[event] as ((...told: Parameters<UploadListeners[E]>) => void) | undefined
      hear?.(...told)
    }
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.id, entry)
    this.#changed()
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.id)
    this.#changed()
  }

  #begin(added: readonly Entry[]): void {
    for (const entry of added) this.#add(entry)
    const transfers = added.flatMap((entry) => entry.transfers)
    this.#remember(transfers)
    void this.#admit(transfers)
    this.#tell('added', { isEncrypted: added.some(({ target }) => target.isEncrypted) })
  }

  #enqueue(transfer: Transfer, source: UploadSource): void {
    setState(transfer, { status: 'waiting', source, isAdmitted: true })
    this.#lanes.add(transfer)
  }

  #pause(entry: Entry | undefined, by: 'user' | 'session'): void {
    for (const transfer of transfersIn(entry, 'waiting', 'sending')) {
      const { state } = transfer
      if (state.status === 'sending') state.abort.abort()
      setState(transfer, { status: 'paused', by, source: state.source })
    }
    this.#changed()
  }

  /** Resumes the uploads that the end of a session paused. */
  #resumeSuspended(): void {
    for (const entry of this.#entries.values()) {
      for (const transfer of transfersIn(entry, 'paused')) {
        if (transfer.state.by === 'session') this.#enqueue(transfer, transfer.state.source)
      }
    }
    this.#changed()
  }

  /** Applies the user's decision about a taken name. */
  #decide(transfer: Transfer, source: UploadSource, choice: ConflictChoice): void {
    if (choice !== 'skip') {
      transfer.onConflict = choice
      this.#enqueue(transfer, source)
      return
    }
    const { entry, plan } = transfer
    setSent(transfer, plan.size)
    setState(transfer, { status: 'cancelled' })
    this.#giveUp(transfer)
    this.#settle(transfer, 'dropped')
    if (entry.counts.cancelled === entry.transfers.length) this.#remove(entry)
  }

  #settle({ entry: { batch } }: Transfer, settlement: Settlement, reason?: string): void {
    if (!settle(batch, settlement, reason)) return
    void this.#receipts.confirm(batch).then(() => this.#tell('batchSettled', { ...batch }))
  }

  #fail(
    transfer: Transfer,
    source: UploadSource,
    reason: string,
    exceedsQuota: boolean,
    locks?: readonly HeldLock[],
  ): void {
    setState(transfer, { status: 'failed', source, reason, exceedsQuota, locks })
    this.#settle(transfer, 'failed', reason)
  }

  /** Fails a transfer, and those of its folder that the server would refuse for the same reason. */
  #failBy(error: unknown, transfer: Transfer, source: UploadSource): void {
    const { entry, plan } = transfer
    const reason = (error instanceof ApiError && error.text) || (error instanceof Error && error.message) || ''
    const { code, locks } = (error instanceof ApiError && error.body) || {}
    const exceedsQuota = code === 'quota_exceeded'
    this.#fail(transfer, source, reason, exceedsQuota, locks)
    // At the item limit no file can be stored, but without space for this file smaller ones may still fit.
    if (!exceedsQuota && code !== 'item_limit') return
    const waiting = transfersIn(entry, 'waiting')
    const isRefused = (other: Transfer) => !exceedsQuota || other.plan.size >= plan.size
    for (const other of waiting) if (isRefused(other)) this.#fail(other, other.state.source, reason, exceedsQuota)
    if (exceedsQuota) void this.#admit(waiting.filter((other) => !isRefused(other)))
  }

  #beginAnew(transfer: Transfer, source: UploadSource): void {
    this.#giveUp(transfer)
    startAnew(transfer, source)
    this.#remember([transfer])
  }

  /** Deletes an upload, here and on the server, which frees its space. */
  #giveUp({ uploadId, isBegun }: Transfer): void {
    this.#unfinished.forget(uploadId)
    if (!isBegun) return
    const { slots, transport } = this.#environment
    // If that fails, the upload expires by itself.
    slots.use(0, new AbortController().signal, () => transport.cancelUpload(uploadId)).catch(() => undefined)
  }

  /** Stores the records for resuming uploads after a reload. */
  #remember(transfers: readonly Transfer[]): void {
    const user = this.#owner
    if (user === undefined) return
    void this.#unfinished.remember(transfers.flatMap((transfer) => recordOf(transfer, user) ?? []))
  }
}

function createNew(
  kind: Entry['kind'],
  name: string,
  files: readonly NewUpload[],
  target: UploadTarget,
  batch: Batch,
): Entry {
  const entry = createEntry(randomId(), kind, name, target, batch)
  for (const file of files) addNewTransfer(entry, file)
  return entry
}

/** Creates the empty folders. Returns a message if that failed. */
async function createEmptyFolders(
  { transport, connection }: UploadEnvironment,
  folderPaths: readonly string[],
  { parentFolderId, isEncrypted }: UploadTarget,
): Promise<string | undefined> {
  const { signal } = new AbortController()
  try {
    for (let start = 0; start < folderPaths.length; start += MAX_FOLDER_PATHS) {
      const some = folderPaths.slice(start, start + MAX_FOLDER_PATHS)
      const create = () => transport.createFolders({ parentFolderId, isEncrypted, folderPaths: some }, signal)
      await withRetries(create, { signal, connection })
    }
    return undefined
  } catch (error) {
    return (error instanceof ApiError && error.text) || 'its empty folders could not be created.'
  }
}
