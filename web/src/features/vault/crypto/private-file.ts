import { VaultFailure } from './vault-failure.ts'

/** Where decrypted bytes wait until their tag was right. */
export interface PrivateFile {
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>
  /** All that was written, as a blob. */
  finish(): Promise<Blob>
  remove(): Promise<void>
}

const FOLDER = 'vault'
const LOCK_PREFIX = 'alcove-vault-'
/** The files of this page begin with its name. The page holds a lock of that name for as long as it lives. */
const PAGE = crypto.randomUUID?.() ?? String(Math.random()).slice(2)
let holding: Promise<void> | undefined

/** A file in the origin private file system, or in memory where there is none, as in some private windows. */
export async function createPrivateFile(): Promise<PrivateFile> {
  const name = `${PAGE}.${crypto.randomUUID()}`
  try {
    await holdLock()
    const folder = await openFolder()
    const handle = await folder.getFileHandle(name, { create: true })
    return await onDisk(folder, handle)
  } catch {
    return inMemory()
  }
}

/** Bytes in memory. A browser moves large blobs to its own temporary files by itself. */
export function inMemory(): PrivateFile {
  let parts: Blob[] = []
  return {
    write: async (bytes) => void parts.push(new Blob([bytes])),
    finish: async () => new Blob(parts),
    remove: async () => {
      parts = []
    },
  }
}

async function onDisk(folder: FileSystemDirectoryHandle, handle: FileSystemFileHandle): Promise<PrivateFile> {
  const remove = async () => {
    await folder.removeEntry(handle.name).catch(() => undefined)
  }
  const writable = await handle.createWritable().catch(async (error: unknown) => {
    await remove()
    throw error
  })
  const failed = (error: unknown) => {
    throw error instanceof DOMException && error.name === 'QuotaExceededError'
      ? new VaultFailure('no-room', error)
      : error
  }
  return {
    write: (bytes) => writable.write(bytes).catch(failed),
    finish: async () => {
      await writable.close().catch(failed)
      return handle.getFile()
    },
    remove: async () => {
      await writable.abort().catch(() => undefined)
      await remove()
    },
  }
}

/** Removes the files of pages that are gone. Never rejects: what cannot be removed now can be the next time. */
export async function sweepDecryptedFiles(): Promise<void> {
  try {
    const folder = await openFolder()
    const pages = new Map<string, string[]>()
    for await (const name of folder.keys()) {
      const [page = ''] = name.split('.')
      pages.set(page, [...(pages.get(page) ?? []), name])
    }
    pages.delete(PAGE)
    for (const [page, names] of pages) {
      await navigator.locks.request(LOCK_PREFIX + page, { ifAvailable: true }, async (lock) => {
        if (lock) for (const name of names) await folder.removeEntry(name)
      })
    }
  } catch {
    // No private file system, or none of our business.
  }
}

async function openFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(FOLDER, { create: true })
}

/** Without locks nobody could tell whose files are in use: then there are none. */
function holdLock(): Promise<void> {
  holding ??= new Promise<void>((resolve, reject) => {
    navigator.locks
      .request(LOCK_PREFIX + PAGE, () => {
        resolve()
        return new Promise(() => {})
      })
      .catch(reject)
  })
  return holding
}
