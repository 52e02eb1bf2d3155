import { fileURLToPath } from 'node:url'
import type { Account } from '../alcove.ts'
import { runToEnd } from '../processes.ts'
import type { Bare, Nginx } from '../references.ts'

/** The jobs of the client process and their results, as JSON on stdin and stdout. */

/** A server that accepts files. */
export interface Target {
  /** Alcove's API takes forms; other servers, and Alcove's WebDAV, take a PUT for each file. */
  kind: 'alcove' | 'put'
  /** Alcove's API, or the root of the other. */
  url: string
  headers: Record<string, string>
}

/** `fetch` is what scripts use. `http` with a keep-alive agent costs the client less. */
export type Via = 'fetch' | 'http'

/** Sends files into a folder, one per request. Alcove also accepts many in a request. */
export interface SendFiles {
  work: 'send files'
  target: Target
  via: Via
  folder: string
  /** Files per subfolder. Without it all files go into the folder itself. */
  perFolder?: number
  files: number
  /** The size of each file in bytes. */
  size: number
  atOnce: number
  /** Files per request. */
  together?: number
  /** Whether each file is completed by a request of its own. */
  isCompletedLater?: boolean
}

export interface SentFiles {
  seconds: number
  failed: number
  firstFailure?: string
  /** Connections that were opened. */
  connections: number
}

export interface Page {
  url: string
  headers: Record<string, string>
}

/** Gets pages repeatedly in turn, one at a time. */
export interface TimePages {
  work: 'time pages'
  pages: Page[]
  times: number
}

export interface TimedPages {
  /** The milliseconds of each request, for each page or list of requests. */
  milliseconds: number[][]
}

export interface SentRequest extends Page {
  method: string
  body?: string
}

/** Makes each request once, one at a time: the first of each list, then the second of each, and so on. */
export interface TimeRequests {
  work: 'time requests'
  requests: SentRequest[][]
}

/** Lets many clients, each with a TLS connection, get pages in turn without a pause. */
export interface Load {
  work: 'load'
  pages: Page[]
  clients: number
  seconds: number
  certificate: string
  /** The host name in the certificate and in the requests. */
  host: string
}

export interface Loaded {
  responses: number
  seconds: number
}

/** Lets many clients, each with a connection, list, download and upload in turn. */
export interface Mix {
  work: 'mix'
  target: Target
  list: Page
  downloads: Page[]
  /** The folder for uploads. */
  folder: string
  /** The size of a file in bytes. */
  size: number
  clients: number
  seconds: number
}

export interface Mixed {
  operations: number
  failed: number
  firstFailure?: string
  /** The real duration. */
  seconds: number
  /** The 99th percentile of the operations in milliseconds. */
  p99: number
}

export type Job = SendFiles | TimePages | TimeRequests | Load | Mix
type ResultOf<J extends Job> = J extends SendFiles
  ? SentFiles
  : J extends TimePages | TimeRequests
    ? TimedPages
    : J extends Load
      ? Loaded
      : Mixed

/** Returns the name of the nth file in a folder. */
export function nameOf(index: number): string {
  return `file-${String(index).padStart(5, '0')}.bin`
}

const CLIENT = fileURLToPath(import.meta.resolve('./client.ts'))

/** Runs a job in a client process. */
export async function runClient<J extends Job>(job: J): Promise<ResultOf<J>> {
  const printed = await runToEnd(process.execPath, [CLIENT], JSON.stringify(job))
  return JSON.parse(printed) as ResultOf<J>
}

/** Sends files and returns the seconds. Throws if one fails. */
export async function sendAll(job: Omit<SendFiles, 'work'>): Promise<number> {
  const { failed, firstFailure, seconds } = await runClient({ work: 'send files', ...job })
  if (failed > 0) throw new Error(`${failed} of ${job.files} files failed. The first failure: ${firstFailure}`)
  return seconds
}

export function alcoveTarget({ api, authorization }: Account): Target {
  return { kind: 'alcove', url: api, headers: { authorization } }
}

/** The bare Node.js server, which takes the same forms as Alcove. */
export function bareTarget({ url }: Bare): Target {
  return { kind: 'alcove', url, headers: {} }
}

export function nginxTarget({ url }: Nginx): Target {
  return { kind: 'put', url, headers: {} }
}
