import { UPLOAD_TTL } from '@alcove/contract/limits'
import { randomId } from '../lib/random-id.ts'
import type { UploadSeal } from './chunked-upload.ts'

/** The record for resuming an upload after a reload, once its file has been chosen again. */
export interface UnfinishedUpload {
  readonly uploadId: string
  /** The id of the upload's user, or the link through which a visitor sends it. */
  readonly owner: string
  /** The id of its row in the tray. */
  readonly entryId: string
  readonly entryKind: 'file' | 'folder'
  readonly entryName: string
  readonly name: string
  readonly size: number
  readonly lastModified: number
  readonly chunkSize: number
  readonly parentFolderId?: string
  readonly relativePath?: string
  /** The name of the target folder. */
  readonly folderName?: string
  /** The salt and IV of the encryption; never the passphrase or the key. */
  readonly seal?: UploadSeal
  readonly startedAt: number
}

/** Stores unfinished uploads across reloads. No method rejects; if a failure matters, the method returns it. */
export interface UnfinishedUploads {
  remember(uploads: readonly UnfinishedUpload[]): Promise<void>
  forget(uploadId: string): void
  /** Deletes an upload so that no later page resumes it. Resolves to whether it is certainly deleted. */
  abandon(uploadId: string): Promise<boolean>
  /** Stores the digest of a chunk, to verify a file that is chosen again. Resolves to false if that fails. */
  noteChunk(uploadId: string, index: number, digest: string): Promise<boolean>
  /** Returns the digests of the sent chunks; undefined if they can't be read. */
  listChunks(uploadId: string): Promise<ReadonlyMap<number, string> | undefined>
  /**
   * Passes the user's unfinished uploads to `onFound`: at once, or when the tab that is uploading them is closed. Earlier versions
   * stored them under the email address.
   */
  takeOver(owner: string, onFound: (uploads: UnfinishedUpload[]) => void, address?: string): Promise<void>
}

type Kept = UnfinishedUpload & { readonly tab: string }

/** The number of records per transaction. Ten thousand in one transaction would block the page. */
const TOGETHER = 250
const FORGET_DELAY = 100

/** Creates the store in IndexedDB. The uploads of an open tab belong to that tab. */
export function createBrowserUnfinishedUploads(): UnfinishedUploads {
  const database = createDatabase()
  const tabs = createTabLocks()
  /** All uploads forgotten since the page was loaded. The first `deleted` of them are removed from the database. */
  const forgotten = new Set<string>()
  let deleted = 0

  async function remember(uploads: readonly UnfinishedUpload[]): Promise<void> {
    for (let start = 0; start < uploads.length; start += TOGETHER) {
      await database.write((stores) => {
        for (const upload of uploads.slice(start, start + TOGETHER)) {
          if (!forgotten.has(upload.uploadId)) stores.uploads.put({ ...upload, tab: tabs.own } satisfies Kept)
        }
      })
    }
  }

  function forget(uploadId: string): void {
    if (forgotten.size === deleted) setTimeout(deleteForgotten, FORGET_DELAY)
    forgotten.add(uploadId)
  }

  function deleteForgotten(): void {
    const uploadIds = [...forgotten].slice(deleted)
    deleted = forgotten.size
    void deleteUploads(uploadIds)
  }

  function deleteUploads(uploadIds: readonly string[]): Promise<boolean> {
    return database.write((stores) => {
      for (const uploadId of uploadIds) {
        stores.uploads.delete(uploadId)
        stores.chunks.delete(chunksOf(uploadId))
      }
    })
  }

  async function listKept(owner: string, address: string | undefined): Promise<Kept[]> {
    const all = ((await database.read((stores) => stores.uploads.getAll())) ?? []) as Kept[]
    const oldest = Date.now() - UPLOAD_TTL
    for (const { uploadId, startedAt } of all) if (startedAt < oldest) forget(uploadId)
    return all
      .filter((one) => (one.owner === owner || one.owner === address) && !forgotten.has(one.uploadId))
      .map((one) => ({ ...one, owner }))
  }

  return {
    remember,
    forget,
    abandon(uploadId) {
      forget(uploadId)
      return deleteUploads([uploadId])
    },
    noteChunk: (uploadId, index, digest) => database.write((stores) => stores.chunks.put({ uploadId, index, digest })),
    async listChunks(uploadId) {
      const chunks = await database.read((stores) => stores.chunks.getAll(chunksOf(uploadId)))
      if (chunks === undefined) return undefined
      return new Map((chunks as { index: number; digest: string }[]).map(({ index, digest }) => [index, digest]))
    },
    async takeOver(owner, onFound, address) {
      const all = await listKept(owner, address)
      const others = new Set(all.map(({ tab }) => tab))
      if (others.delete(tabs.own)) onFound(all.filter(({ tab }) => tab === tabs.own))
      for (const tab of others) {
        void tabs.onceClosed(tab, async () => {
          // Read again, because an upload may have ended or another tab may have taken it over.
          const left = (await listKept(owner, address)).filter((upload) => upload.tab === tab)
          await remember(left)
          onFound(left)
        })
      }
    },
  }
}

interface Stores {
  /** Unfinished uploads, by their id. */
  readonly uploads: IDBObjectStore
  /** The digests of chunks that were sent, by upload and index. */
  readonly chunks: IDBObjectStore
}

/** Returns the keys of all chunks of an upload. */
function chunksOf(uploadId: string): IDBKeyRange {
  return IDBKeyRange.bound([uploadId, 0], [uploadId, Number.MAX_SAFE_INTEGER])
}

function createDatabase() {
  let opened: Promise<IDBDatabase> | undefined

  async function begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
    opened ??= openDatabase(() => {
      opened = undefined
    })
    opened.catch(() => {
      opened = undefined
    })
    // A digest must survive a power cut once its chunk has left the browser.
    return (await opened).transaction(['uploads', 'chunks'], mode, { durability: 'strict' })
  }

  return {
    /** Writes, and resolves to whether that succeeded. It fails in some private windows and when the disk is full. */
    async write(change: (stores: Stores) => unknown): Promise<boolean> {
      try {
        const transaction = await begin('readwrite')
        await new Promise<void>((resolve, reject) => {
          transaction.oncomplete = () => resolve()
          transaction.onabort = () => reject(transaction.error)
          change(storesOf(transaction))
        })
        return true
      } catch {
        return false
      }
    },

    /** Reads; undefined if that fails. */
    async read<T>(query: (stores: Stores) => IDBRequest<T>): Promise<T | undefined> {
      try {
        return await settled(query(storesOf(await begin('readonly'))))
      } catch {
        return undefined
      }
    },
  }
}

function storesOf(transaction: IDBTransaction): Stores {
  return { uploads: transaction.objectStore('uploads'), chunks: transaction.objectStore('chunks') }
}

async function openDatabase(onClose: () => void): Promise<IDBDatabase> {
  const opening = indexedDB.open('alcove-uploads', 1)
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('uploads', { keyPath: 'uploadId' })
    opening.result.createObjectStore('chunks', { keyPath: ['uploadId', 'index'] })
  }
  const database = await settled(opening)
  database.onclose = onClose
  database.onversionchange = () => {
    database.close()
    onClose()
  }
  return database
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

const LOCK_PREFIX = 'alcove-uploads-of-'

/** Distinguishes open tabs from closed ones: each tab holds a lock while it is open. */
function createTabLocks() {
  const own = randomId()
  // The Web Locks API is missing on pages loaded over plain HTTP. Two tabs may then offer the same upload.
  const locks = typeof navigator === 'undefined' ? undefined : navigator.locks
  void locks?.request(LOCK_PREFIX + own, () => new Promise(() => {})).catch(() => undefined)
  return {
    own,
    /** Runs `work` once a tab is closed. If several tabs wait for that, they run one after the other. */
    async onceClosed(tab: string, work: () => Promise<void>): Promise<void> {
      if (locks) await locks.request(LOCK_PREFIX + tab, work).catch(() => undefined)
      else await work()
    },
  }
}
