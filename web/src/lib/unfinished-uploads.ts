import { UPLOAD_TTL } from '@alcove/contract/limits'

/** What must be known to go on with an upload after a reload, once its file has been chosen again. */
export interface UnfinishedUpload {
  readonly uploadId: string
  /** The e-mail address of the user whose upload it is. */
  readonly owner: string
  readonly name: string
  readonly size: number
  readonly lastModified: number
  readonly fingerprint: string
  readonly chunkSize: number
  readonly parentFolderId?: string
  readonly relativePath?: string
  readonly startedAt: number
}

/** Keeps unfinished uploads over a reload. Losing one costs only the resuming, so no method rejects. */
export interface UnfinishedUploads {
  remember(upload: UnfinishedUpload): Promise<void>
  forget(uploadId: string): Promise<void>
  list(owner: string): Promise<UnfinishedUpload[]>
  /** Waits until no other tab is busy with an upload; gives whether it is still unfinished, and this tab's from now on. */
  claim(uploadId: string): Promise<boolean>
}

const DATABASE = 'alcove'
const STORE = 'unfinished-uploads'

/** In IndexedDB; each upload is held by a lock of the tab that it runs in, for as long as the tab lives. */
export const browserUnfinishedUploads: UnfinishedUploads = {
  async remember(upload) {
    void holdUpload(upload.uploadId)
    await inStore('readwrite', (store) => store.put(upload)).catch(() => undefined)
  },
  async forget(uploadId) {
    await inStore('readwrite', (store) => store.delete(uploadId)).catch(() => undefined)
    releaseUpload(uploadId)
  },
  async list(owner) {
    const all = await inStore<UnfinishedUpload[]>('readonly', (store) => store.getAll()).catch(() => [])
    const expired = all.filter((upload) => upload.startedAt < Date.now() - UPLOAD_TTL)
    for (const { uploadId } of expired) void browserUnfinishedUploads.forget(uploadId)
    return all.filter((upload) => upload.owner === owner && !expired.includes(upload))
  },
  async claim(uploadId) {
    await holdUpload(uploadId)
    const found = await inStore('readonly', (store) => store.count(uploadId)).catch(() => 0)
    if (found === 0) releaseUpload(uploadId)
    return found > 0
  },
}

async function inStore<T = unknown>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>) {
  const database = await openDatabase()
  try {
    return await settled(work(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'uploadId' })
  return settled(opening)
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

const LOCK_PREFIX = 'alcove-upload-'
const releases = new Map<string, () => void>()

/** Resolves once this tab has the lock. */
function holdUpload(uploadId: string): Promise<void> {
  if (releases.has(uploadId)) return Promise.resolve()
  const held = new Promise<void>((resolve) => releases.set(uploadId, resolve))
  return new Promise((resolve) => {
    const hold = () => {
      resolve()
      return held
    }
    // Locks are missing on a page that came by plain HTTP: then another tab may offer the upload too.
    if (navigator.locks) navigator.locks.request(LOCK_PREFIX + uploadId, hold).catch(() => resolve())
    else resolve()
  })
}

function releaseUpload(uploadId: string): void {
  releases.get(uploadId)?.()
  releases.delete(uploadId)
}
