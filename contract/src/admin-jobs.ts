import { z } from 'zod'
import { defineCall } from './call.ts'
import { id, time } from './fields.ts'

const job = z.object({
  id,
  kind: z.string().describe('For example `activation mail`'),
  state: z.enum(['running', 'retrying', 'failed']),
  attempts: z.int(),
  at: time.describe('When it began, is tried again, or was given up'),
  error: z.string().nullable().describe('The first line of the last error'),
})
export type QueuedJob = z.infer<typeof job>

const run = z.object({
  name: z.string(),
  server: z.string().describe('The name of the machine, and the port'),
  every: z.number().describe('Seconds between the end of one run and the next'),
  beganAt: time,
  endedAt: time.nullable().describe('Null while it runs'),
  error: z.string().nullable().describe('The last error, if a run has failed since the server started'),
  errorAt: time.nullable(),
})
export type ScheduledRun = z.infer<typeof run>

export const getJobs = defineCall({
  method: 'GET',
  path: '/admin/jobs',
  access: 'admin',
  scope: 'admin',
  summary: 'Show the queue of background jobs, those that fail, and the last runs of scheduled jobs',
  input: z.object({}),
  output: z.object({
    counts: z.object({ waiting: z.int(), running: z.int(), retrying: z.int(), failed: z.int() }),
    jobs: z.array(job).describe('The first 100 of those that failed, wait for another attempt or are running'),
    schedule: z.array(run),
  }),
})

const message = z.object({ message: z.string() })

export const retryJob = defineCall({
  method: 'POST',
  path: '/admin/jobs/{id}/retry',
  access: 'admin',
  scope: 'admin',
  summary: 'Try a job again that failed or waits for another attempt',
  input: z.object({ id }),
  output: message,
})

export const retryFailedJobs = defineCall({
  method: 'POST',
  path: '/admin/jobs/retry',
  access: 'admin',
  scope: 'admin',
  summary: 'Try all jobs again that were given up',
  input: z.object({}),
  output: message,
})

export const discardJob = defineCall({
  method: 'DELETE',
  path: '/admin/jobs/{id}',
  access: 'admin',
  scope: 'admin',
  summary: 'Delete a job that was given up',
  input: z.object({ id }),
  output: message,
})
