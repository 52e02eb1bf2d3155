import { ApiError } from '../../api/api.ts'
import { randomId } from '../../lib/random-id.ts'
import type { UnfinishedUploads } from '../resume/unfinished-uploads.ts'
import { createReceipts } from '../resume/upload-receipts.ts'
import { recordOf } from '../resume/upload-restore.ts'
import { createResuming } from '../resume/upload-resuming.ts'
import { createSpeedMeter } from '../transport/speed-meter.ts'
import { createAdmission } from './upload-admission.ts'
import { createBatch, settle } from './upload-batches.ts'
import type { UploadBoard } from './upload-board.ts'
import { createConflicts } from './upload-conflicts.ts'
import { createControls } from './upload-controls.ts'
import {
  addTransfer,
  createEntry,
  createTransfer,
  type Entry,
  type NewUpload,
  setStatus,
  startAnew,
  type Transfer,
  type UploadTarget,
} from './upload-entries.ts'
import type { UploadEnvironment } from './upload-environment.ts'
import { createUploadEvents } from './upload-events.ts'
import { createEmptyFolders } from './upload-folders.ts'
import { createUploadQueue } from './upload-queue.ts'
import { createRunner } from './upload-runner.ts'
import { createSnapshot, type UploadsSnapshot } from './upload-snapshot.ts'
import { createSubscribers } from './upload-subscribers.ts'

/** Browsers hand over `file 10` before `file 2`. */
const byName = new Intl.Collator(undefined, { numeric: true })

/** The queue of uploads. It outlives every page; `subscribe` and `getSnapshot` are for `useSyncExternalStore`. */
export function createUploadStore(environment: UploadEnvironment, unfinished: UnfinishedUploads) {
  const { transport, connection } = environment
  const entries = new Map<string, Entry>()
  const { listen, tell } = createUploadEvents()
  const speed = createSpeedMeter()
  let owner: string | undefined
  const { changed, subscribe, getSnapshot } = createSubscribers(takeSnapshot, refreshSpeeds)

  const board: UploadBoard = {
    entries,
    changed,
    add(entry) {
      entries.set(entry.id, entry)
      changed()
    },
    remove(entry) {
      entries.delete(entry.id)
      changed()
    },
    enqueue(transfer) {
      setStatus(transfer, 'waiting')
      queue.add(transfer)
    },
    settle({ entry: { batch } }, settlement, reason) {
      if (!settle(batch, settlement, reason)) return
      void receipts.confirm(batch).then(() => tell('batchSettled', { ...batch }))
    },
    giveUp(transfer) {
      const { uploadId } = transfer // it may begin anew, as another one, before there is a slot
      transfer.source = undefined
      unfinished.forget(uploadId)
      if (!transfer.isBegun) return
      // If that fails the upload expires by itself.
      environment.slots
        .use(0, new AbortController().signal, () => transport.cancelUpload(uploadId))
        .catch(() => undefined)
    },
  }

  const admit = createAdmission(board, transport)
  const receipts = createReceipts(board, environment)
  const conflicts = createConflicts(board)
  const controls = createControls({ board, admit, beginAnew })
  const run = createRunner({
    environment,
    unfinished,
    onProgress: speed.add,
    onChange: changed,
    onStored(transfer, file) {
      tell('stored', file, transfer.entry.target)
      board.settle(transfer, 'stored')
      changed()
    },
    onFailed(transfer, error, reason) {
      board.settle(transfer, 'failed', reason)
      const code = error instanceof ApiError ? error.body?.code : undefined
      transfer.exceedsQuota = code === 'quota_exceeded'
      // A file that is too large leaves room for smaller ones; an account that holds all it may takes none.
      if (code === 'quota_exceeded') controls.admitSmaller(transfer)
      if (code === 'item_limit') controls.failWaiting(transfer.entry, reason)
    },
    onTaken: conflicts.meet,
    onSessionOver: controls.suspend,
  })
  const queue = createUploadQueue(run)
  const remember = (transfers: readonly Transfer[]) => {
    const user = owner
    if (user === undefined) return
    void unfinished.remember(transfers.flatMap((transfer) => recordOf(transfer, user) ?? []))
  }
  const resuming = createResuming({
    environment,
    unfinished,
    board,
    isOwner: (user) => user === owner,
    onFound: () => tell('added', { isEncrypted: false }),
    beginAnew,
  })
  connection.subscribe(changed)

  /** Abandons an upload for another one of the same file, which must not take over anything of it. */
  function beginAnew(transfer: Transfer, source: NewUpload['source']): void {
    board.giveUp(transfer)
    startAnew(transfer, source)
    remember([transfer])
  }

  function takeSnapshot(): UploadsSnapshot {
    const now = performance.now()
    const isOffline = !connection.isOnline()
    return createSnapshot(
      entries.values(),
      { speed: speed.read(now), isOffline, isVerifying: receipts.isRunning() },
      now,
    )
  }

  function refreshSpeeds(): void {
    for (const entry of entries.values()) if (entry.counts.uploading > 0) entry.view = undefined
    changed()
  }

  /** Adds files, each as an entry of its own, all told as one when they have ended. */
  function addFiles(files: readonly NewUpload[], target: UploadTarget): void {
    const batch = createBatch('file', target.isEncrypted)
    const left = resuming.takeUp(files, target).toSorted((a, b) => byName.compare(a.source.name, b.source.name))
    begin(left.map((file) => createNew(createEntry(randomId(), 'file', file.source.name, target, batch), [file])))
  }

  /** Adds a folder with all its files as one entry; `emptyFolders` are the paths of those that have no file. */
  function addFolder(
    name: string,
    files: readonly NewUpload[],
    target: UploadTarget,
    emptyFolders: readonly string[] = [],
  ): void {
    const left = resuming.takeUp(files, target)
    if (left.length > 0)
      begin([
        createNew(createEntry(randomId(), 'folder', name, target, createBatch('folder', target.isEncrypted)), left),
      ])
    if (emptyFolders.length === 0) return
    void createEmptyFolders(environment, emptyFolders, target).then((problem) =>
      tell('foldersCreated', { target, problem, isAll: files.length === 0 }),
    )
  }

  function createNew(entry: Entry, files: readonly NewUpload[]): Entry {
    for (const file of files) addTransfer(entry, createTransfer(entry, file))
    return entry
  }

  function begin(added: readonly Entry[]): void {
    for (const entry of added) board.add(entry)
    const transfers = added.flatMap((entry) => entry.transfers)
    remember(transfers)
    void admit(transfers)
    tell('added', { isEncrypted: added.some(({ target }) => target.isEncrypted) })
  }

  /** Says whose uploads these are: those of another user stop and go, and what this one left unfinished comes back. */
  async function open(user: string): Promise<void> {
    if (user === owner) return controls.resumeSuspended()
    for (const entry of entries.values()) {
      for (const { abort } of entry.transfers) abort?.abort()
      board.remove(entry)
    }
    owner = user
    await resuming.restoreAll(user)
  }

  const { chooseAgain } = resuming
  const { admitSmaller: _again, failWaiting: _none, resumeSuspended: _own, ...shown } = controls
  return {
    ...{ subscribe, getSnapshot, listen, open, addFiles, addFolder, chooseAgain, resolve: conflicts.resolve },
    ...shown,
  }
}

export type UploadStore = ReturnType<typeof createUploadStore>
