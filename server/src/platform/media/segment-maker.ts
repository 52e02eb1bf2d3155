import { availableParallelism } from 'node:os'
import { type Duplex, PassThrough } from 'node:stream'
import { FairQueue } from '../processes/fair-queue.ts'
import { openContent, startLimited } from '../processes/run-program.ts'
import { SegmentStore } from './segment-store.ts'

/** An order for a segment or a storyboard sheet. */
export interface SegmentOrder {
  blobKey: string
  /** The name under which it is stored for this blob. */
  name: string
  /** ffmpeg's arguments. The bytes are its one open file. */
  arguments: readonly string[]
  /** ffmpeg's output passes through this. */
  filter?: Duplex
  /** The requester: requesters take turns. */
  group: string
}

/** Runs work with the bytes of a blob, or the path of a file. */
type WithContent = <T>(work: (content: Uint8Array | string) => Promise<T>) => Promise<T>

/** Thrown if the segment can't be made because of the video. */
export class SegmentFailedError extends Error {}
/** Thrown if the queue is full or nobody waits any longer. */
export class SegmentLeftError extends Error {}

interface Making {
  result: Promise<string>
  askers: number
  allGone: AbortController
}

const MEBIBYTE = 1024 * 1024
const LIMITS = { maxMemory: 2048 * MEBIBYTE, maxCpu: 300 }
/** The time limit for one segment, in milliseconds. */
const TIMEOUT = 60_000
const MAX_WAITING = 100
/** How long a failure is remembered, because players retry several times. */
const FAILURE_TTL = 60_000
const MAX_FAILURES = 1000
const MAX_BYTES = 4096 * MEBIBYTE
/** Half of the cores: the number of segments made at a time, and the threads for each. The other half is for requests. */
export const MAKING_THREADS = Math.max(1, Math.floor(availableParallelism() / 2))

/** Makes segments of videos with ffmpeg, each on demand and independent of others, and caches them. */
export class SegmentMaker {
  readonly store: SegmentStore
  readonly #ffmpeg: string | undefined
  readonly #timeout: number
  readonly #queue = new FairQueue<{ start: () => void; leave: () => void }>(MAX_WAITING)
  readonly #makings = new Map<string, Making>()
  readonly #failedAt = new Map<string, number>()
  readonly #running = new Set<() => void>()
  #busy = 0

  constructor(folder: string, ffmpeg: string | undefined, { timeout = TIMEOUT, maxBytes = MAX_BYTES } = {}) {
    this.store = new SegmentStore(folder, maxBytes)
    this.#ffmpeg = ffmpeg
    this.#timeout = timeout
  }

  get canMake(): boolean {
    return this.#ffmpeg !== undefined
  }

  /** Returns the path of a segment, which is made once for all who request it. If all of them leave, ffmpeg is killed. */
  async make(order: SegmentOrder, withContent: WithContent, gone: AbortSignal): Promise<string> {
    const kept = await this.store.find(order.blobKey, order.name)
    if (kept !== undefined) return kept
    const name = `${order.blobKey} ${order.name}`
    const failedAt = this.#failedAt.get(name)
    if (failedAt !== undefined && performance.now() - failedAt < FAILURE_TTL) throw new SegmentFailedError()
    if (gone.aborted) throw new SegmentLeftError()
    const making = this.#makings.get(name) ?? this.#start(name, order, withContent)
    making.askers += 1
    const leave = () => {
      making.askers -= 1
      if (making.askers > 0) return
      this.#forget(name, making)
      making.allGone.abort()
    }
    gone.addEventListener('abort', leave, { once: true })
    return making.result.finally(() => gone.removeEventListener('abort', leave))
  }

  close(): void {
    for (let task = this.#queue.take(); task; task = this.#queue.take()) task.leave()
    for (const kill of this.#running) kill()
  }

  /** Later requests make the segment again. */
  #forget(name: string, making: Making): void {
    if (this.#makings.get(name) === making) this.#makings.delete(name)
  }

  #start(name: string, order: SegmentOrder, withContent: WithContent): Making {
    const allGone = new AbortController()
    const making: Making = { result: this.#makeInTurn(name, order, withContent, allGone.signal), askers: 0, allGone }
    this.#makings.set(name, making)
    const forget = () => this.#forget(name, making)
    making.result.then(forget, forget)
    return making
  }

  #makeInTurn(name: string, order: SegmentOrder, withContent: WithContent, signal: AbortSignal): Promise<string> {
    return this.#takeTurn(order.group, signal)
      .then(() =>
        withContent((content) => this.#run(order, content, signal)).finally(() => {
          this.#busy -= 1
          this.#startNext()
        }),
      )
      .catch((error: unknown) => {
        if (error instanceof SegmentFailedError) this.#rememberFailure(name)
        throw error
      })
  }

  #takeTurn(group: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const task = { start: resolve, leave: () => reject(new SegmentLeftError()) }
      signal.addEventListener('abort', () => this.#queue.remove(group, task) && task.leave(), { once: true })
      this.#queue.add(group, task)?.leave()
      this.#startNext()
    })
  }

  #startNext(): void {
    while (this.#busy < MAKING_THREADS) {
      const task = this.#queue.take()
      if (!task) return
      this.#busy += 1
      task.start()
    }
  }

  async #run(order: SegmentOrder, content: Uint8Array | string, signal: AbortSignal): Promise<string> {
    if (signal.aborted || this.#ffmpeg === undefined) throw new SegmentLeftError()
    const file = await openContent(content).catch((error: unknown) => {
      throw new SegmentFailedError('the bytes could not be opened', { cause: error })
    })
    const program = startLimited(this.#ffmpeg, order.arguments, file, LIMITS)
    let isLeft = false
    const stop = () => {
      isLeft = true
      program.kill()
    }
    const timer = setTimeout(program.kill, this.#timeout)
    signal.addEventListener('abort', stop, { once: true })
    this.#running.add(stop)
    try {
      // Read at once: output that nobody reads is lost when the program ends.
      const made = program.output.pipe(order.filter ?? new PassThrough())
      const path = await this.store.keep(order.blobKey, order.name, made, () => program.ended)
      if (path !== undefined) return path
      throw isLeft ? new SegmentLeftError() : new SegmentFailedError('ffmpeg made nothing of it')
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      this.#running.delete(stop)
      program.kill()
      await file.close()
    }
  }

  #rememberFailure(name: string): void {
    if (this.#failedAt.size >= MAX_FAILURES) this.#failedAt.clear()
    this.#failedAt.set(name, performance.now())
  }
}
