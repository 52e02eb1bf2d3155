import { FairQueue } from './fair-queue.ts'
import {
  WorkProcess,
  WorkProcessDiedError,
  WorkProcessKilledError,
  WorkProcessMissingError,
  type WorkProcessOptions,
} from './work-process.ts'

export interface PoolOptions extends WorkProcessOptions {
  /** The maximum number of processes. */
  size: number
  /** The maximum number of waiting tasks. */
  maxWaiting: number
}

/** Thrown if the queue is full or no process can be started now: retrying later may help. */
class PoolBusyError extends Error {}
/** Thrown if the work is no longer wanted before it has begun. */
export class WorkAbandonedError extends Error {}

export interface Asker {
  /** The requester: requesters take turns. */
  group: string
  /** Aborted when the work is no longer wanted. Work that has begun is finished. */
  signal?: AbortSignal | undefined
}

interface Task<Input, Output> {
  input: Input
  group: string
  hasDied: boolean
  resolve: (output: Output) => void
  reject: (error: unknown) => void
}

/** An idle process ends after this time. */
const IDLE = 20_000
/** Native code leaks and fragments memory, so a process is replaced after this many tasks. */
const MAX_WORK = 500
/** If processes fail to start several times in a row, further requests fail at once for a while. */
const MAX_FAILED_STARTS = 3
const PAUSE = 30_000

/**
 * Runs work in a few processes, which start on demand, are replaced when they die, and end when idle. With several processes,
 * no group gets all of them: one is left for others.
 */
export class ProcessPool<Input, Output> {
  readonly #options: PoolOptions
  readonly #queue: FairQueue<Task<Input, Output>>
  readonly #idle = new Map<WorkProcess<Input, Output>, NodeJS.Timeout>()
  readonly #busy = new Set<WorkProcess<Input, Output>>()
  /** The number of busy processes of each group. */
  readonly #working = new Map<string, number>()
  #failedStarts = 0
  #pausedUntil = 0
  #isClosed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#queue = new FairQueue(options.maxWaiting)
  }

  /** Rejects with `WorkRefusedError` or `WorkProcessDiedError` if the input is at fault, else with another error. */
  run(input: Input, { group, signal }: Asker): Promise<Output> {
    if (this.#isClosed || performance.now() < this.#pausedUntil) return Promise.reject(new PoolBusyError())
    if (signal?.aborted) return Promise.reject(new WorkAbandonedError())
    const { promise, resolve, reject } = Promise.withResolvers<Output>()
    const task = { input, group, hasDied: false, resolve, reject }
    const leave = () => {
      if (this.#queue.remove(group, task)) reject(new WorkAbandonedError())
    }
    signal?.addEventListener('abort', leave, { once: true })
    this.#add(task)
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (let task = this.#queue.take(); task; task = this.#queue.take()) task.reject(new PoolBusyError())
    for (const timer of this.#idle.values()) clearTimeout(timer)
    for (const process of [...this.#idle.keys(), ...this.#busy]) process.kill()
    this.#idle.clear()
  }

  #add(task: Task<Input, Output>): void {
    this.#queue.add(task.group, task)?.reject(new PoolBusyError())
    this.#startNext()
  }

  #startNext(): void {
    while (this.#busy.size < this.#options.size && !this.#isClosed) {
      const task = this.#queue.take((group) => this.#mayHaveMore(group))
      if (!task) return
      void this.#do(task)
    }
  }

  #mayHaveMore(group: string): boolean {
    const { size } = this.#options
    return size === 1 || (this.#working.get(group) ?? 0) < size - 1
  }

  async #do(task: Task<Input, Output>): Promise<void> {
    const process = this.#takeProcess()
    const { group } = task
    const started = performance.now()
    this.#working.set(group, (this.#working.get(group) ?? 0) + 1)
    try {
      task.resolve(await process.run(task.input))
      this.#failedStarts = 0
    } catch (error) {
      this.#fail(task, error)
    } finally {
      this.#busy.delete(process)
      this.#queue.charge(group, performance.now() - started)
      const others = (this.#working.get(group) ?? 1) - 1
      if (others > 0) this.#working.set(group, others)
      else this.#working.delete(group)
      this.#rest(process)
      this.#startNext()
    }
  }

  #fail(task: Task<Input, Output>, error: unknown): void {
    if (this.#isClosed) {
      task.reject(new PoolBusyError())
    } else if (error instanceof WorkProcessMissingError) {
      this.#failedStarts += 1
      if (this.#failedStarts >= MAX_FAILED_STARTS) this.#pausedUntil = performance.now() + PAUSE
      if (performance.now() < this.#pausedUntil) task.reject(error)
      else this.#add(task)
    } else if (error instanceof WorkProcessDiedError && !task.hasDied) {
      // Something else may have ended the process, such as an operator. If it dies a second time, the input is at fault.
      this.#add({ ...task, hasDied: true })
    } else if (error instanceof WorkProcessKilledError) {
      // Unless Linux has ended it again, because all processes together need too much memory.
      task.reject(new PoolBusyError())
    } else {
      task.reject(error)
    }
  }

  #takeProcess(): WorkProcess<Input, Output> {
    for (const [process, timer] of this.#idle) {
      clearTimeout(timer)
      this.#idle.delete(process)
      if (!process.isAlive) continue
      this.#busy.add(process)
      return process
    }
    const process = new WorkProcess<Input, Output>(this.#options)
    this.#busy.add(process)
    return process
  }

  #rest(process: WorkProcess<Input, Output>): void {
    if (this.#isClosed || !process.isAlive || process.done >= MAX_WORK) {
      process.kill()
      return
    }
    const end = () => {
      this.#idle.delete(process)
      process.kill()
    }
    this.#idle.set(process, setTimeout(end, IDLE).unref())
  }
}
