import { request } from 'node:http'
import { deleteAccount, downloadData } from '@alcove/contract/accounts'
import { getStorage } from '@alcove/contract/files'
import { runClient } from '../client/jobs.ts'
import { percentile, type Row, valueAtMost } from '../measurements.ts'
import type { Caller } from './caller.ts'
import { recordRequest } from './timed-call.ts'

const ZIPS = 10
/** Requests by another user during the large deletion. */
const REQUESTS_MEANWHILE = 400

export interface AboutAll {
  url: string
  caller: Caller
  /** The caller's name in the table. */
  by: string
}

/** Measures the time to the first byte of the ZIP of all of a user's data. Aborts the download then. */
export async function timeZip({ url, caller, by }: AboutAll): Promise<Row> {
  const { method, path } = downloadData
  const taken: number[] = []
  for (let time = 0; time < ZIPS; time += 1) {
    taken.push(await timeFirstByte(`${url}/api${path}?${new URLSearchParams(caller.account)}`))
  }
  return p95Row(`… ${method} ${path} by a user of ${by}, until its first byte`, taken)
}

/** Measures the deletion of accounts, one after the other. Rows and bytes may still be deleted in the background. */
export async function timeDeletions(url: string, tokens: readonly string[], by: string): Promise<Row> {
  const taken = await timeEach(
    await Promise.all(tokens.map((token) => recordRequest({ url, token }, deleteAccount, {}))),
  )
  const times = tokens.length === 1 ? 'once' : `${tokens.length} of them`
  return p95Row(`… ${deleteAccount.method} ${deleteAccount.path} by a user of ${by}, ${times}`, taken)
}

/** Measures the requests of another user meanwhile. */
export async function timeMeanwhile({ url, caller, by }: AboutAll): Promise<Row> {
  const request = await recordRequest({ url, token: caller.user.token }, getStorage, {})
  const taken = await timeEach(Array.from({ length: REQUESTS_MEANWHILE }, () => request))
  return p95Row(`… ${getStorage.method} ${getStorage.path} while the ${by} files are deleted`, taken)
}

async function timeEach(requests: Awaited<ReturnType<typeof recordRequest>>[]): Promise<number[]> {
  const { milliseconds } = await runClient({ work: 'time requests', requests: [requests] })
  return milliseconds.flat()
}

function p95Row(what: string, taken: number[]): Row {
  return { what, alcove: [percentile(taken, 0.95)], floor: valueAtMost(50) }
}

/** Returns the milliseconds to the first byte of a response, and aborts it. */
function timeFirstByte(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const sent = request(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} returned ${response.statusCode}`))
      // The abort causes this error.
      response.on('error', () => {})
      response.once('data', () => {
        resolve(performance.now() - startedAt)
        sent.destroy()
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
