/** What the client process is asked to do, and what it answers: JSON through standard input and output. */

/** A server that takes files in. */
export interface Target {
  kind: 'alcove' | 'nginx'
  /** Alcove's API, or nginx's root. */
  url: string
  headers: Record<string, string>
}

/** With `fetch`, as a browser or a script would; with a plain keep-alive agent the client's own cost hides less. */
export type Via = 'fetch' | 'http'

/** Sends files into a folder, one request each, or, to Alcove alone, many with one request. */
export interface SendFiles {
  work: 'send files'
  target: Target
  via: Via
  folder: string
  /** So many go into each of as many folders below it as are needed; without it all lie in the folder itself. */
  perFolder?: number
  files: number
  /** Bytes of each. */
  size: number
  atOnce: number
  /** How many go with one request. */
  together?: number
}

export interface SentFiles {
  seconds: number
  failed: number
  firstFailure?: string
  /** How many connections were opened. */
  connections: number
}

export interface Page {
  url: string
  headers: Record<string, string>
}

/** Gets pages again and again, in turn, one at a time. */
export interface TimePages {
  work: 'time pages'
  pages: Page[]
  times: number
}

export interface TimedPages {
  /** For each page, or list of requests, the milliseconds that each request took. */
  milliseconds: number[][]
}

/** A request with whatever body it has. */
export interface SentRequest extends Page {
  method: string
  body?: string
}

/** Makes requests, one at a time, each once: the first of each list, then the second of each, and so on. */
export interface TimeRequests {
  work: 'time requests'
  requests: SentRequest[][]
}

/** Many clients at once, each with one connection by TLS, that get pages in turn without a pause. */
export interface Load {
  work: 'load'
  pages: Page[]
  clients: number
  seconds: number
  certificate: string
  /** Whose it is, and what is asked for. */
  host: string
}

export interface Loaded {
  answered: number
  seconds: number
}

/** Many clients at once, each with one connection: list, download, upload, and again. */
export interface Mix {
  work: 'mix'
  target: Target
  list: Page
  downloads: Page[]
  /** Where the uploads go. */
  folder: string
  /** Bytes of a file. */
  size: number
  clients: number
  seconds: number
}

export interface Mixed {
  operations: number
  failed: number
  firstFailure?: string
  /** As long as it really took. */
  seconds: number
  /** The milliseconds that 99 of 100 operations stayed below. */
  p99: number
}

export type Job = SendFiles | TimePages | TimeRequests | Load | Mix
export type ResultOf<J extends Job> = J extends SendFiles
  ? SentFiles
  : J extends TimePages | TimeRequests
    ? TimedPages
    : J extends Load
      ? Loaded
      : Mixed

/** The name of the nth file that is sent into a folder. */
export function nameOf(index: number): string {
  return `file-${String(index).padStart(5, '0')}.bin`
}
