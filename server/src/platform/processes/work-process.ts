import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { cpuTimeOf } from './cpu-time.ts'
import type { WorkMessage } from './serve-work.ts'

export interface WorkProcessOptions {
  /** The module that calls `serveWork`. */
  script: URL
  /**
   * Milliseconds of processor time that one piece of work may take: on a busy machine a process of little priority is
   * slow through no fault of its input. In any case it may take six times as long by the clock.
   */
  timeout: number
  /** Bytes of memory that the process may take for itself; Node alone lays claim to some 570 MB. */
  maxMemory?: number
  /** Seconds of processor time in all: for work that could go on without a parent to stop it. */
  maxCpu?: number
}

/** The work was tried and cannot be done: the input is at fault. */
export class WorkRefusedError extends Error {}
/** The work took longer than it may. */
export class WorkTimedOutError extends WorkRefusedError {}
/** The process ended in the middle of the work, for whatever reason. */
export class WorkProcessDiedError extends Error {}
/** The process could not be started: the input is not at fault. */
export class WorkProcessMissingError extends Error {}

/** Milliseconds between looks at the processor time of work that has had its time by the clock. */
const LOOK_EVERY = 250

/** Behind everything that somebody waits for. */
const LOW_PRIORITY = 15

/**
 * A process of its own for work on bytes that nobody has checked: it has no secrets in its environment, little priority,
 * and bounds on memory and time. It does one piece of work at a time.
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
      // Arenas of malloc for each thread would hold memory that nobody uses.
      env: { MALLOC_ARENA_MAX: '2' },
      cwd: '/',
      // A group of its own, so that what it has started ends with it.
      detached: true,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // Whoever waits for a response hears of it; without a listener it would end the server.
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

  /** Rejects with one of the three errors above. Where it has ended, `isAlive` is false. */
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
      // One that was killed at rest is sometimes found dead only by what it is sent.
      this.kill()
      throw new WorkProcessDiedError('a work process could not be reached', { cause: error })
    } finally {
      stopWatching()
      // At rest it keeps nobody from ending.
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

  /** Calls back once the work has used up its time; returns what ends that. */
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
      throw new WorkProcessDiedError(`a work process ended with ${reason ?? code}`)
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

/** Where memory runs out, Linux ends such a process and not the server, however much that one holds. */
const FIRST_TO_GO = 'echo 1000 2>/dev/null >/proc/self/oom_score_adj'

/** Node, started by a shell that sets the limits: Node itself has no way to bound the memory of native code. */
function limitedNode(
  maxMemory: number | undefined,
  maxCpu: number | undefined,
): { execPath?: string; execArgv: string[] } {
  if (process.platform === 'win32') return { execArgv: [] }
  const memory = maxMemory === undefined ? 'unlimited' : Math.round(maxMemory / 1024)
  const limits = `ulimit -d ${memory}; ulimit -t ${maxCpu ?? 'unlimited'}; ulimit -c 0; ${FIRST_TO_GO}`
  return { execPath: '/bin/sh', execArgv: ['-c', `${limits}; exec "$0" "$@"`, process.execPath] }
}
