import type { HostileRequest } from './hostile-requests.ts'

/** What an error must not tell: stack traces, places in the file system, statements and names of programs inside. */
const LEAKS = [
  /\bat \S+ \(|\.(?:[cm]?js|ts):\d+/,
  /node_modules|node:internal|\/server\/src|\/tmp\/|\/home\/|root:.*:0:0/,
  /\b(?:select .+ from|insert into|update \S+ set|delete from)\b/i,
  /sqlite|postgres|kysely|fastify|saxes|ENOENT|ECONN|FST_ERR|\bTypeError|\bRangeError|\bURIError|\bError:/i,
]

/** Returns why a response is wrong: an error of the server, or one that tells too much. Undefined if it is right. */
export function findFault({ headers }: HostileRequest, status: number, text: string): string | undefined {
  const isForeign = /evil|^\/\/|\[/.test(headers.destination ?? '')
  const isAllowed = status < 500 || status === 501 || status === 507 || (status === 502 && isForeign)
  if (status === 0) return 'There is no response.'
  if (!isAllowed) return `The status is ${status}.`
  const leak = status >= 400 ? LEAKS.find((pattern) => pattern.test(text)) : undefined
  return leak && `The body of the error matches ${leak}.`
}
