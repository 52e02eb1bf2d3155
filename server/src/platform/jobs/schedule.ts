import type { FastifyBaseLogger } from 'fastify'
import type { ScheduleRecord } from './schedule-record.ts'

/** A job that runs at the start and then repeatedly. It must be safe at any time, and twice at the same time. */
export interface ScheduledJobs {
  name: string
  /** Milliseconds between the end of one run and the next. */
  every: number
  /** Long work must stop when the signal aborts, because the server is stopping. */
  work: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Starts scheduled jobs, and records their runs. Returns a function that stops them and waits for those that are running.
 */
export function startSchedule(
  works: readonly ScheduledJobs[],
  log: FastifyBaseLogger,
  record: ScheduleRecord,
): () => Promise<void> {
  const stopping = new AbortController()
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  function run({ name, every, work }: ScheduledJobs): void {
    record.begin(name, every)
    const round = work(stopping.signal)
      .then(
        () => record.end(name),
        (error: unknown) => {
          log.error({ err: error, work: name }, 'a scheduled job failed')
          record.end(name, error)
        },
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
