import { deleteAccount, downloadData } from '@alcove/contract/accounts'
import { getStorage } from '@alcove/contract/files'
import { type Row, valueAtMost } from '../rows.ts'
import { runClient } from '../run-client.ts'
import { percentile } from '../statistics.ts'
import type { Caller } from './caller.ts'
import { timeFirstByte } from './first-byte.ts'
import { recordRequest } from './record-request.ts'

const ZIPS = 10
/** So often others ask for something while very much is being deleted. */
const ASKED_MEANWHILE = 400

export interface AboutAll {
  url: string
  caller: Caller
  /** What the caller is called in the table. */
  by: string
}

/** How soon the ZIP of all that a user has begins to come. It is made while it is sent, and given up here; the bytes must be stored. */
export async function timeZip({ url, caller, by }: AboutAll): Promise<Row> {
  const { method, path } = downloadData
  const taken: number[] = []
  for (let time = 0; time < ZIPS; time += 1) {
    taken.push(await timeFirstByte(`${url}/api${path}?${new URLSearchParams(caller.account)}`))
  }
  return p95Row(`… ${method} ${path} by a user of ${by}, until its first byte`, taken)
}

/** Users who leave, one after the other; their rows and bytes may still be on their way out when the next one does. */
export async function timeDeletions(url: string, tokens: readonly string[], by: string): Promise<Row> {
  const taken = await timeEach(
    await Promise.all(tokens.map((token) => recordRequest({ url, token }, deleteAccount, {}))),
  )
  const times = tokens.length === 1 ? 'once' : `${tokens.length} of them`
  return p95Row(`… ${deleteAccount.method} ${deleteAccount.path} by a user of ${by}, ${times}`, taken)
}

/** What another user waits for meanwhile. */
export async function timeMeanwhile({ url, caller, by }: AboutAll): Promise<Row> {
  const request = await recordRequest({ url, token: caller.user.token }, getStorage, {})
  const taken = await timeEach(Array.from({ length: ASKED_MEANWHILE }, () => request))
  return p95Row(`… ${getStorage.method} ${getStorage.path} while the ${by} files are deleted`, taken)
}

async function timeEach(requests: Awaited<ReturnType<typeof recordRequest>>[]): Promise<number[]> {
  const { milliseconds } = await runClient({ work: 'time requests', requests: [requests] })
  return milliseconds.flat()
}

function p95Row(what: string, taken: number[]): Row {
  return { what, alcove: [percentile(taken, 0.95)], floor: valueAtMost(50) }
}
