import { setTimeout as wait } from 'node:timers/promises'
import { MEBIBYTE } from '@alcove/contract/limits'
import { openAccount, startAlcove } from '../alcove.ts'
import { valueAtMost } from '../measurements.ts'
import { readMemory, readRss } from '../processes.ts'
import type { Part } from '../stage.ts'
import { uploadInChunks } from '../transfers.ts'

const UPLOADS = 4
const SAMPLE_INTERVAL = 50
/** How long the server is left alone until it counts as idle, and has returned the memory that the start took. */
const UNTIL_IDLE = 20_000

/** Measures the server's memory when idle and during four large uploads. Runs once, regardless of `--rounds`. */
export const memory: Part = {
  name: 'memory',
  needsCurl: true,
  async run(stage) {
    const source = await stage.source()
    const alcove = await startAlcove(stage.dir)
    await wait(UNTIL_IDLE)
    const idle = readMemory(alcove.pid)

    stage.say(`${UPLOADS} uploads at once`)
    const account = await openAccount(alcove)
    let peak = 0
    const sample = () => {
      peak = Math.max(peak, readRss(alcove.pid))
    }
    const timer = setInterval(sample, SAMPLE_INTERVAL)
    try {
      await Promise.all(
        Array.from({ length: UPLOADS }, (_unused, index) => uploadInChunks(account, source, `large-${index}`, 1)),
      )
      sample()
    } finally {
      clearInterval(timer)
    }
    return [
      { what: 'memory idle, RSS, MiB', alcove: [idle.rss / MEBIBYTE] },
      { what: 'memory idle, PSS, MiB', alcove: [idle.pss / MEBIBYTE], aim: valueAtMost(110) },
      { what: `highest RSS during ${UPLOADS} large uploads, MiB`, alcove: [peak / MEBIBYTE] },
      { what: '… more than idle, MiB', alcove: [(peak - idle.rss) / MEBIBYTE], floor: valueAtMost(200) },
    ]
  },
}
