import type { z } from 'zod'
import type { Services } from '../../context.ts'
import type { JobKind } from './job-queue.ts'

/** A kind of background work and what is done for it. */
export interface Job<Payload> extends JobKind<Payload> {
  /** Throws to be tried again later. A job may run twice after a server died, so it must tolerate that. */
  readonly run: (services: Services, payload: Payload) => Promise<void>
}

export type PayloadOf<J> = J extends Job<infer Payload> ? Payload : never

/** Any job, whatever its payload. */
// biome-ignore lint/suspicious/noExplicitAny: a list of jobs holds payloads of every type.
export type AnyJob = Job<any>

/** Defines a job. `kind` is stored with every queued job: renaming it needs a migration. */
export function defineJob<Payload>(
  kind: string,
  schema: z.ZodType<Payload>,
  run: (services: Services, payload: Payload) => Promise<void>,
  { isNeverGivenUp = false } = {},
): Job<Payload> {
  return { kind, schema, run, isNeverGivenUp }
}

/** Makes this server do jobs of these kinds. Operator commands register none: they leave queued jobs to a server. */
export function handleJobs(services: Services, jobs: readonly AnyJob[]): void {
  for (const job of jobs) services.jobs.handle(job, (payload) => job.run(services, payload))
}
