import type { FastifyBaseLogger } from 'fastify'

/** Work that is done at start and then again and again: it must be safe at any time, and twice at once. */
export interface ScheduledJobs {
  name: string
  /** Milliseconds between the end of one run and the next. */
  every: number
  /** Work that takes long looks at the signal, which says that the server is about to stop. */
  work: (signal: AbortSignal) => Promise<unknown>
}

/** Starts regular work; the function returned stops it and waits for what is running. */
export function startSchedule(works: readonly ScheduledJobs[], log: FastifyBaseLogger): () => Promise<void> {
  const stopping = new AbortController()
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  function run({ name, every, work }: ScheduledJobs): void {
    const round = work(stopping.signal)
      .then(
        () => {},
        (error: unknown) => log.error({ err: error, work: name }, 'regular work failed'),
      )
      .then(() => {
        running.delete(round)
        if (stopping.signal.aborted) return
        timers.set(name, setTimeout(() => run({ name, every, work }), every).unref())
      })
    running.add(round)
  }

  for (const work of works) run(work)
  return async () => {
    stopping.abort()
    for (const timer of timers.values()) clearTimeout(timer)
    await Promise.all(running)
  }
}
