import { WorkProcess } from '../processes/work-process.ts'
import type { Digests } from './checksums.ts'
import type { DigestOrder } from './digest-process.ts'

/** Enough for the largest blob on a slow disk. */
const TIMEOUT = 24 * 3_600_000

/** Computes digests of stored bytes in a process of low priority, which exists only while there is work. */
export class Digester {
  #process: WorkProcess<DigestOrder, Partial<Digests>> | undefined

  /** Takes bytes or the path of a file, one at a time. Rejects at once when aborted. */
  async digest<Kind extends keyof Digests>(
    content: Uint8Array | string,
    kinds: readonly Kind[],
    signal: AbortSignal,
  ): Promise<Pick<Digests, Kind>> {
    signal.throwIfAborted()
    const process = this.#process?.isAlive ? this.#process : this.#start()
    const stop = () => process.kill()
    signal.addEventListener('abort', stop, { once: true })
    try {
      return (await process.run({ content, kinds })) as Pick<Digests, Kind>
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Ends the process until there is work again. */
  rest(): void {
    this.#process?.kill()
    this.#process = undefined
  }

  #start(): WorkProcess<DigestOrder, Partial<Digests>> {
    const script = new URL('./digest-process.ts', import.meta.url)
    this.#process = new WorkProcess({ script, timeout: TIMEOUT })
    return this.#process
  }
}
