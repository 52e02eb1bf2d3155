import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { cpuTimeOf } from './operating-system.ts'
import type { WorkMessage } from './serve-work.ts'

export interface WorkProcessOptions {
  /** The module that calls `serveWork`. */
  script: URL
  /**
   * The processor time that one task may take, in milliseconds. On a busy machine a process of low priority is slow through no
   * fault of its input, so the limit in elapsed time is six times as long.
   */
  timeout: number
  /** Bytes of memory that the process may allocate. Node alone reserves some 570 MB. */
  maxMemory?: number
  /** Seconds of processor time in all, for work that could continue without a parent to stop it. */
  maxCpu?: number
}

/** Thrown if the work failed because of its input. */
export class WorkRefusedError extends Error {}
/** Thrown if the work exceeded its time. */
export class WorkTimedOutError extends WorkRefusedError {}
/** Thrown if the process ended during the work, for whatever reason. */
export class WorkProcessDiedError extends Error {}
/** Thrown if the process was killed during the work, as Linux does when memory runs out. `maxMemory` makes allocations fail instead. */
export class WorkProcessKilledError extends WorkProcessDiedError {}
/** Thrown if the process couldn't be started: the input is not at fault. */
export class WorkProcessMissingError extends Error {}

/** How often the processor time of work is checked after its limit in elapsed time, in milliseconds. */
const LOOK_EVERY = 250

/** Below everything that somebody waits for. */
const LOW_PRIORITY = 15

/**
 * A process for work on unchecked bytes: it has no secrets in its environment, low priority, and limits on memory and time. It
 * does one task at a time.
 */
export class WorkProcess<Input, Output> {
  readonly #child: ChildProcess
  readonly #timeout: number
  readonly #started: Promise<void>
  #isAlive = true
  done = 0

  constructor({ script, timeout, maxMemory, maxCpu }: WorkProcessOptions) {
    this.#timeout = timeout
    this.#child = fork(fileURLToPath(script), {
      ...limitedNode(maxMemory, maxCpu),
      // One malloc arena per thread would hold unused memory.
      env: { MALLOC_ARENA_MAX: '2' },
      cwd: '/',
      // A process group of its own, so that its children end with it.
      detached: true,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // Callers that wait for a response get the error. Without a listener it would end the server.
    this.#child.on('error', () => {})
    this.#child.once('exit', () => {
      this.#isAlive = false
    })
    this.#started = this.#start()
    this.#started.catch(() => {})
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  /** Rejects with one of the three errors above. If the process has ended, `isAlive` is false. */
  async run(input: Input): Promise<Output> {
    await this.#started
    this.#child.ref()
    this.#child.channel?.ref()
    let isTooSlow = false
    const stopWatching = this.#watch(() => {
      isTooSlow = true
      this.kill()
    })
    try {
      this.#child.send(input as object)
      const message = await this.#nextMessage()
      this.done += 1
      if ('output' in message) return message.output
      throw new WorkRefusedError('refusal' in message ? message.refusal : 'no answer')
    } catch (error) {
      if (isTooSlow) throw new WorkTimedOutError(`no answer within ${this.#timeout} ms of processor time`)
      if (error instanceof WorkRefusedError || error instanceof WorkProcessDiedError) throw error
      // A process that was killed while idle is sometimes noticed only when something is sent to it.
      this.kill()
      throw new WorkProcessDiedError('a work process could not be reached', { cause: error })
    } finally {
      stopWatching()
      // An idle process doesn't keep its parent from ending.
      this.#child.unref()
      this.#child.channel?.unref()
    }
  }

  kill(): void {
    this.#isAlive = false
    const { pid } = this.#child
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      this.#child.kill('SIGKILL')
    }
  }

  /** Calls back when the work has used up its time. Returns a function that cancels that. */
  #watch(onTimeUp: () => void): () => void {
    const pid = this.#child.pid as number
    const [cpuBefore, started] = [cpuTimeOf(pid) ?? 0, performance.now()]
    const isUp = () => {
      const cpu = cpuTimeOf(pid)
      return cpu === undefined || cpu - cpuBefore >= this.#timeout || performance.now() - started >= this.#timeout * 6
    }
    let timer = setTimeout(function look() {
      if (isUp()) onTimeUp()
      else timer = setTimeout(look, LOOK_EVERY)
    }, this.#timeout)
    return () => clearTimeout(timer)
  }

  async #start(): Promise<void> {
    try {
      await this.#nextMessage()
      setPriority(this.#child.pid as number, LOW_PRIORITY)
    } catch (error) {
      this.#isAlive = false
      throw new WorkProcessMissingError('a work process could not be started', { cause: error })
    }
  }

  async #nextMessage(): Promise<WorkMessage<Output>> {
    const settled = new AbortController()
    const { signal } = settled
    const gone = once(this.#child, 'exit', { signal }).then(([code, reason]) => {
      const message = `a work process ended with ${reason ?? code}`
      throw reason === 'SIGKILL' ? new WorkProcessKilledError(message) : new WorkProcessDiedError(message)
    })
    try {
      const [message] = (await Promise.race([once(this.#child, 'message', { signal }), gone])) as [WorkMessage<Output>]
      return message
    } finally {
      gone.catch(() => {})
      settled.abort()
    }
  }
}

/** If memory runs out, Linux ends this process instead of the server, however much the server uses. */
const FIRST_TO_GO = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj'

/** Starts Node through a shell that sets the limits: Node can't limit the memory of native code. */
function limitedNode(
  maxMemory: number | undefined,
  maxCpu: number | undefined,
): { execPath?: string; execArgv: string[] } {
  if (process.platform === 'win32') return { execArgv: [] }
  const memory = maxMemory === undefined ? 'unlimited' : Math.round(maxMemory / 1024)
  const limits = `ulimit -d ${memory}; ulimit -t ${maxCpu ?? 'unlimited'}; ulimit -c 0; ${FIRST_TO_GO}`
  return { execPath: '/bin/sh', execArgv: ['-c', `${limits}; exec "$0" "$@"`, process.execPath] }
}
