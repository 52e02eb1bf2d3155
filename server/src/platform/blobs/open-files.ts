import { type FileHandle, open } from 'node:fs/promises'

/** How long a file stays open after its last use, in milliseconds. */
const KEPT_FOR = 5000
/** Files that nobody uses and that are still open, at most. */
const MAX_KEPT = 64

interface OpenFile {
  handle: Promise<FileHandle>
  users: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Opens files for reading and keeps them open for a few seconds, because players, sync clients and browsers ask for one range of a
 * file after the other. Opening and closing a file takes two turns of the thread pool, as long as reading a short range.
 */
export class OpenFiles {
  /** By path; the files used last come last. */
  readonly #files = new Map<string, OpenFile>()

  /** Runs `work` with an open file. Rejects if it can't be opened. */
  async use<T>(path: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = this.#files.get(path) ?? { handle: open(path, 'r'), users: 0, timer: undefined }
    clearTimeout(file.timer)
    this.#files.delete(path)
    this.#files.set(path, file)
    file.users++
    // A file that is missing now may be there next time.
    file.handle.catch(() => this.forget(path))
    try {
      return await work(await file.handle)
    } finally {
      file.users--
      if (file.users === 0) this.#leave(path, file)
    }
  }

  /** Closes a file as soon as nobody uses it, because it was removed. */
  forget(path: string): void {
    const file = this.#files.get(path)
    if (!file) return
    this.#files.delete(path)
    if (file.users === 0) close(file)
  }

  /** Closes all files that nobody uses, and the others after their use. */
  close(): void {
    for (const path of [...this.#files.keys()]) this.forget(path)
  }

  #leave(path: string, file: OpenFile): void {
    const isForgotten = this.#files.get(path) !== file
    if (isForgotten) close(file)
    else file.timer = setTimeout(() => this.forget(path), KEPT_FOR).unref()
    if (this.#files.size <= MAX_KEPT) return
    const oldest = [...this.#files].find(([, { users }]) => users === 0)
    if (oldest) this.forget(oldest[0])
  }
}

function close(file: OpenFile): void {
  clearTimeout(file.timer)
  file.handle
    .then((handle) => handle.close())
    // It could not be opened, as its user has learned.
    .catch(() => {})
}
