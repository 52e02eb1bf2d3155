import { fileURLToPath } from 'node:url'
import type { Account } from './account.ts'
import type { Job, ResultOf, SendFiles, Target } from './client/jobs.ts'
import type { Nginx } from './nginx.ts'
import { runToEnd } from './processes.ts'

const CLIENT = fileURLToPath(import.meta.resolve('./client.ts'))

/** Has a job done by a client process of its own. */
export async function runClient<J extends Job>(job: J): Promise<ResultOf<J>> {
  const printed = await runToEnd(process.execPath, [CLIENT], JSON.stringify(job))
  return JSON.parse(printed) as ResultOf<J>
}

/** Sends files that all must arrive; answers the seconds. */
export async function sendAll(job: Omit<SendFiles, 'work'>): Promise<number> {
  const { failed, firstFailure, seconds } = await runClient({ work: 'send files', ...job })
  if (failed > 0) throw new Error(`${failed} of ${job.files} files failed, the first one so: ${firstFailure}`)
  return seconds
}

export function alcoveTarget({ api, authorization }: Account): Target {
  return { kind: 'alcove', url: api, headers: { authorization } }
}

export function nginxTarget({ url }: Nginx): Target {
  return { kind: 'nginx', url, headers: {} }
}
