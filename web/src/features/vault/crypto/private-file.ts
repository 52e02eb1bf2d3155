import { VaultFailure } from './vault-failure.ts'

/** Where decrypted bytes wait until their tag was right. */
export interface PrivateFile {
  /** Takes the buffer of the bytes too, and gives it back when it may be filled again. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer | undefined>
  /** All that was written, as a blob. */
  finish(): Promise<Blob>
  remove(): Promise<void>
}

/** What the worker that writes is asked. */
export type WriterRequest =
  | { readonly kind: 'open'; readonly handle: FileSystemFileHandle }
  | { readonly kind: 'write'; readonly bytes: Uint8Array<ArrayBuffer>; readonly at: number }
  | { readonly kind: 'close' }

/** What it answers: the name of what went wrong, if something did. */
export interface WriterResponse {
  readonly error?: string
  /** What was written came in it. */
  readonly buffer?: ArrayBuffer
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
    await writer.ask({ kind: 'open', handle })
  } catch (error) {
    await remove()
    throw error
  }
  return {
    async write(bytes) {
      const request = { kind: 'write', bytes, at } as const
      at += bytes.length
      return (await writer.ask(request, [bytes.buffer])).buffer
    },
    async finish() {
      await writer.end()
      return handle.getFile()
    },
    remove,
  }
}

/** A worker that writes one file: its answers come in the order of what it was asked. */
function startWriter() {
  const worker = new Worker(new URL('./private-file-worker.ts', import.meta.url), { type: 'module' })
  const waiting: ((response: WriterResponse) => void)[] = []
  let ending: Promise<unknown> | undefined
  worker.addEventListener('message', ({ data }: MessageEvent<WriterResponse>) => waiting.shift()?.(data))
  worker.addEventListener('error', ({ message }) => {
    for (const settle of waiting.splice(0)) settle({ error: message || 'It could not be loaded.' })
  })

  const ask = (request: WriterRequest, transfer: Transferable[] = []) =>
    new Promise<WriterResponse>((resolve, reject) => {
      waiting.push((response) => {
        const { error } = response
        if (error === undefined) resolve(response)
        else if (error === 'QuotaExceededError') reject(new VaultFailure('no-room'))
        else reject(new Error(`The private file system failed: ${error}`))
      })
      worker.postMessage(request, transfer)
    })

  return {
    ask,
    /** Closes the file, which until then nobody can read or remove. */
    end: () => {
      ending ??= ask({ kind: 'close' }).finally(() => worker.terminate())
      return ending
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
