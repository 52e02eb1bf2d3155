import { getStorage } from '@alcove/contract/files'
import type { Account } from './account.ts'
import { percentile } from './statistics.ts'

const PAUSE = 10

/** How long a small call takes, asked again and again until the signal: the milliseconds that most of them stay below. */
export async function timeStorage({ api, authorization }: Account, until: AbortSignal, rank = 0.95): Promise<number> {
  const times: number[] = []
  while (!until.aborted) {
    const start = performance.now()
    await (await fetch(`${api}${getStorage.path}`, { headers: { authorization } })).arrayBuffer()
    times.push(performance.now() - start)
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }
  return percentile(times, rank)
}
