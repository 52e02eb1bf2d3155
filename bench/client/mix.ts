import { percentile } from '../statistics.ts'
import { contents } from './contents.ts'
import { fileSender } from './file-request.ts'
import { type Mix, type Mixed, nameOf, type Page } from './jobs.ts'
import { type Agent, createAgent, sendByHttp } from './send-by-http.ts'

/** Lets every client list, download and upload until the time is over; each of the three counts as one operation. */
export async function mix(job: Mix): Promise<Mixed> {
  const agent = createAgent(job.clients)
  const send = fileSender(job.target, 'http', agent)
  const next = contents(job.size)
  const milliseconds: number[] = []
  const result: Mixed = { operations: 0, failed: 0, seconds: 0, p99: 0 }
  const startedAt = performance.now()
  const until = startedAt + job.seconds * 1000

  const operate = async (operation: () => Promise<void>) => {
    const begunAt = performance.now()
    try {
      await operation()
      result.operations += 1
    } catch (error) {
      result.failed += 1
      result.firstFailure ??= String(error)
    }
    milliseconds.push(performance.now() - begunAt)
  }
  let sent = 0
  const client = async (_unused: unknown, number: number) => {
    for (let turn = number; performance.now() < until; turn += 1) {
      const page = job.downloads[turn % job.downloads.length] as Page
      await operate(() => getPage(agent, job.list))
      await operate(() => getPage(agent, page, job.size))
      const name = nameOf(sent)
      sent += 1
      await operate(() => send({ folder: job.folder, name, content: next() }))
    }
  }
  await Promise.all(Array.from({ length: job.clients }).map(client))
  result.seconds = (performance.now() - startedAt) / 1000
  result.p99 = percentile(milliseconds, 0.99)
  agent.destroy()
  return result
}

async function getPage(agent: Agent, { url, headers }: Page, size?: number): Promise<void> {
  const response = await sendByHttp(agent, { method: 'GET', url, headers })
  if (response.status !== 200 || (size !== undefined && response.size !== size)) {
    throw new Error(`${url} answered ${response.status} with ${response.size} bytes`)
  }
}
