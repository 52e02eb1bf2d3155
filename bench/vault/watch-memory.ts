import { MEBIBYTE } from '@alcove/contract/limits'
import { readDescendants, readMemory } from '../process-figures.ts'

const OFTEN = 250

/** What all processes of a browser take now, in MiB of PSS. */
export function readBrowserMemory(pid: number): number {
  return readDescendants(pid).reduce((sum, one) => sum + readPss(one), 0) / MEBIBYTE
}

/** The most that they take while some work goes on. */
export async function watchMemory(pid: number, work: () => Promise<unknown>): Promise<number> {
  let max = 0
  const watch = setInterval(() => {
    max = Math.max(max, readBrowserMemory(pid))
  }, OFTEN)
  await work().finally(() => clearInterval(watch))
  return max
}

/** A process may have ended since it was listed. */
function readPss(pid: number): number {
  try {
    return readMemory(pid).pss
  } catch {
    return 0
  }
}
