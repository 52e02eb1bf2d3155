// The client for small requests. It is its own process, so that its work doesn't slow down the bench. Reads a job from stdin
// and writes the result to stdout.

import { subscribe } from 'node:diagnostics_channel'
import { text } from 'node:stream/consumers'
import { percentile } from '../measurements.ts'
import {
  type Job,
  type Load,
  type Loaded,
  type Mix,
  type Mixed,
  nameOf,
  type Page,
  type SendFiles,
  type SentFiles,
  type TimedPages,
  type TimePages,
  type TimeRequests,
} from './jobs.ts'
import {
  type Agent,
  chunkSender,
  contents,
  createAgent,
  createTlsAgent,
  fileSender,
  filesSender,
  type OutgoingFile,
  sendByHttp,
} from './requests.ts'

function perform(job: Job) {
  switch (job.work) {
    case 'send files':
      return sendFiles(job)
    case 'time pages':
      return timePages(job)
    case 'time requests':
      return timeRequests(job)
    case 'load':
      return load(job)
    case 'mix':
      return mix(job)
  }
}

const job = JSON.parse(await text(process.stdin)) as Job
console.log(JSON.stringify(await perform(job)))

/** Sends files in parallel loops, each with one request at a time. Counts failures and continues. */
async function sendFiles(job: SendFiles): Promise<SentFiles> {
  const result: SentFiles = { seconds: 0, failed: 0, connections: 0 }
  subscribe('net.client.socket', () => {
    result.connections += 1
  })
  const agent = createAgent(job.atOnce)
  const together = job.together ?? 1
  const sendOne = (job.isCompletedLater ? chunkSender : fileSender)(job.target, job.via, agent)
  const sendMany = filesSender(job.target, job.via, agent)
  const next = contents(job.size)
  let index = 0
  const loop = async () => {
    while (index < job.files) {
      const files: OutgoingFile[] = []
      for (; index < job.files && files.length < together; index += 1) {
        files.push({ folder: folderOf(job, index), name: nameOf(index), content: next() })
      }
      try {
        await (together === 1 ? sendOne(files[0] as OutgoingFile) : sendMany(files))
      } catch (error) {
        result.failed += files.length
        result.firstFailure ??= String(error)
      }
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: job.atOnce }, loop))
  result.seconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  return result
}

function folderOf({ folder, perFolder }: SendFiles, index: number): string {
  return perFolder === undefined ? folder : `${folder}/folder-${Math.floor(index / perFolder)}`
}

/** Lets every client list, download and upload until time is up. Each of the three is one operation. */
async function mix(job: Mix): Promise<Mixed> {
  const agent = createAgent(job.clients)
  const send = fileSender(job.target, 'http', agent)
  const next = contents(job.size)
  const milliseconds: number[] = []
  const result: Mixed = { operations: 0, failed: 0, seconds: 0, p99: 0 }
  const startedAt = performance.now()
  const until = startedAt + job.seconds * 1000

  const operate = async (operation: () => Promise<void>) => {
    const operationStart = performance.now()
    try {
      await operation()
      result.operations += 1
    } catch (error) {
      result.failed += 1
      result.firstFailure ??= String(error)
    }
    milliseconds.push(performance.now() - operationStart)
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
    throw new Error(`${url} returned ${response.status} with ${response.size} bytes`)
  }
}

/** Lets every client get one page after the other until time is up. */
async function load({ pages, clients, seconds, certificate, host }: Load): Promise<Loaded> {
  const agent = createTlsAgent(clients, certificate, host)
  let responses = 0
  const startedAt = performance.now()
  const client = async (_unused: unknown, number: number) => {
    for (let turn = number; performance.now() - startedAt < seconds * 1000; turn += 1) {
      const { url, headers } = pages[turn % pages.length] as Load['pages'][number]
      const { status } = await sendByHttp(agent, { method: 'GET', url, headers: { ...headers, host } })
      if (status !== 200) throw new Error(`${url} returned ${status}`)
      responses += 1
    }
  }
  await Promise.all(Array.from({ length: clients }).map(client))
  const taken = (performance.now() - startedAt) / 1000
  agent.destroy()
  return { responses, seconds: taken }
}

/** Gets the pages in turn, so that other load on the machine affects all of them equally. */
async function timePages({ pages, times }: TimePages): Promise<TimedPages> {
  const agent = createAgent(pages.length)
  const milliseconds: number[][] = pages.map(() => [])
  for (let time = 0; time < times; time += 1) {
    for (const [index, { url, headers }] of pages.entries()) {
      const startedAt = performance.now()
      const { status } = await sendByHttp(agent, { method: 'GET', url, headers })
      if (status !== 200) throw new Error(`${url} returned ${status}`)
      milliseconds[index]?.push(performance.now() - startedAt)
    }
  }
  agent.destroy()
  return { milliseconds }
}

/** Makes the first request of each list, then the second of each, and so on. A request may depend on earlier ones. */
async function timeRequests({ requests }: TimeRequests): Promise<TimedPages> {
  const agent = createAgent(1)
  const milliseconds: number[][] = requests.map(() => [])
  const max = Math.max(...requests.map((list) => list.length))
  for (let time = 0; time < max; time += 1) {
    for (const [index, list] of requests.entries()) {
      const request = list[time]
      if (!request) continue
      const { body: text, ...head } = request
      const outgoing = { ...head, ...(text !== undefined && { body: Buffer.from(text) }) }
      const startedAt = performance.now()
      const { status, readText } = await sendByHttp(agent, outgoing)
      milliseconds[index]?.push(performance.now() - startedAt)
      if (status >= 300) throw new Error(`${head.method} ${head.url} returned ${status}: ${readText()}`)
    }
  }
  agent.destroy()
  return { milliseconds }
}
