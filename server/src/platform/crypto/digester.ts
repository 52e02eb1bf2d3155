import { WorkProcess } from '../processes/work-process.ts'

/** Enough for the largest blob on a slow disk. */
const TIMEOUT = 24 * 3_600_000

/** Computes the SHA-256 of stored bytes in a process of low priority, which exists only while there is work. */
export class Digester {
  #process: WorkProcess<Uint8Array | string, string> | undefined

  /** Returns the digest in hexadecimal. Takes bytes or the path of a file, one at a time. Rejects at once when aborted. */
  async digest(content: Uint8Array | string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    const process = this.#process?.isAlive ? this.#process : this.#start()
    const stop = () => process.kill()
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await process.run(content)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Ends the process until there is work again. */
  rest(): void {
    this.#process?.kill()
    this.#process = undefined
  }

  #start(): WorkProcess<Uint8Array | string, string> {
    const script = new URL('./digest-process.ts', import.meta.url)
    this.#process = new WorkProcess({ script, timeout: TIMEOUT })
    return this.#process
  }
}
