const DATABASE = 'alcove-uploads'

interface Stores {
  /** Unfinished uploads, by their id. */
  readonly uploads: IDBObjectStore
  /** The digests of chunks that were sent, by upload and index. */
  readonly chunks: IDBObjectStore
}

let opened: Promise<IDBDatabase> | undefined

/** The keys of all chunks of an upload. */
export function isIn(uploadId: string): IDBKeyRange {
  return IDBKeyRange.bound([uploadId, 0], [uploadId, Number.MAX_SAFE_INTEGER])
}

/** Writes, and resolves to whether that succeeded. It fails in some private windows and when the disk is full. */
export async function keep(write: (stores: Stores) => unknown): Promise<boolean> {
  try {
    const transaction = await begin('readwrite')
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error)
      write(storesOf(transaction))
    })
    return true
  } catch {
    return false
  }
}

/** Reads; undefined when that cannot be. */
export async function inStores<T>(read: (stores: Stores) => IDBRequest<T>): Promise<T | undefined> {
  try {
    return await settled(read(storesOf(await begin('readonly'))))
  } catch {
    return undefined
  }
}

async function begin(mode: IDBTransactionMode): Promise<IDBTransaction> {
  opened ??= open()
  opened.catch(() => {
    opened = undefined
  })
  // A digest must survive a power cut once its chunk has left the browser.
  return (await opened).transaction(['uploads', 'chunks'], mode, { durability: 'strict' })
}

function storesOf(transaction: IDBTransaction): Stores {
  return { uploads: transaction.objectStore('uploads'), chunks: transaction.objectStore('chunks') }
}

function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore('uploads', { keyPath: 'uploadId' })
    opening.result.createObjectStore('chunks', { keyPath: ['uploadId', 'index'] })
  }
  return settled(opening).then((database) => {
    const forget = () => {
      opened = undefined
    }
    database.onclose = forget
    database.onversionchange = () => {
      database.close()
      forget()
    }
    return database
  })
}

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
