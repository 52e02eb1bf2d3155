import { VaultFailure } from './vault-failure.ts'

/** Holds decrypted bytes until their tag is verified. */
export interface PrivateFile {
  /** Takes over the buffer of the bytes, and returns it when it can be reused. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer | undefined>
  /** Returns everything that was written. */
  finish(): Promise<Blob>
  remove(): Promise<void>
}

/** A request to the worker that writes. */
export type WriterRequest =
  | { readonly kind: 'open'; readonly handle: FileSystemFileHandle }
  | { readonly kind: 'write'; readonly bytes: Uint8Array<ArrayBuffer>; readonly at: number }
  | { readonly kind: 'close' }

/** Its response, with the name of the error if it failed. */
export interface WriterResponse {
  readonly error?: string
  /** The buffer of the bytes that were written. */
  readonly buffer?: ArrayBuffer
}

const FOLDER = 'vault'
const LOCK_PREFIX = 'alcove-vault-'
/** The names of this page's files start with its id. The page holds a lock with that id until it is closed. */
const PAGE = crypto.randomUUID?.() ?? String(Math.random()).slice(2)
let holding: Promise<void> | undefined

/** Creates a file in the origin private file system, or in memory if there is none, as in some private windows. */
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

/** Keeps bytes in memory. Browsers move large blobs to temporary files by themselves. */
export function inMemory(): PrivateFile {
  let parts: Blob[] = []
  return {
    async write(bytes) {
      parts.push(new Blob([bytes]))
      return bytes.buffer
    },
    finish: async () => new Blob(parts),
    remove: async () => {
      parts = []
    },
  }
}

async function onDisk(folder: FileSystemDirectoryHandle, handle: FileSystemFileHandle): Promise<PrivateFile> {
  const writer = startWriter()
  let at = 0
  const remove = async () => {
    await writer.end().catch(() => undefined)
    await folder.removeEntry(handle.name).catch(() => undefined)
  }
  try {
    await writer.request({ kind: 'open', handle })
  } catch (error) {
    await remove()
    throw error
  }
  return {
    async write(bytes) {
      const message = { kind: 'write', bytes, at } as const
      at += bytes.length
      return (await writer.request(message, [bytes.buffer])).buffer
    },
    async finish() {
      await writer.end()
      return handle.getFile()
    },
    remove,
  }
}

/** Starts a worker that writes one file. Its responses have the order of the requests. */
function startWriter() {
  const worker = new Worker(new URL('./private-file-worker.ts', import.meta.url), { type: 'module' })
  const waiting: ((response: WriterResponse) => void)[] = []
  let ending: Promise<unknown> | undefined
  worker.addEventListener('message', ({ data }: MessageEvent<WriterResponse>) => waiting.shift()?.(data))
  worker.addEventListener('error', ({ message }) => {
    for (const settle of waiting.splice(0)) settle({ error: message || 'It could not be loaded.' })
  })

  const request = (message: WriterRequest, transfer: Transferable[] = []) =>
    new Promise<WriterResponse>((resolve, reject) => {
      waiting.push((response) => {
        const { error } = response
        if (error === undefined) resolve(response)
        else if (error === 'QuotaExceededError') reject(new VaultFailure('no-room'))
        else reject(new Error(`The private file system failed: ${error}`))
      })
      worker.postMessage(message, transfer)
    })

  return {
    request,
    /** Closes the file. Until then it can't be read or removed. */
    end: () => {
      ending ??= request({ kind: 'close' }).finally(() => worker.terminate())
      return ending
    },
  }
}

/** Removes the files of pages that are closed. Never rejects: what can't be removed now is removed the next time. */
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
    // There is no private file system, or another page is removing the files.
  }
}

async function openFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(FOLDER, { create: true })
}

/** Rejects without locks, since no page could then know which files are in use. */
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
