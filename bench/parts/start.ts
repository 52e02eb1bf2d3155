import { openAccount, startAlcove } from '../alcove.ts'
import { valueAtMost } from '../measurements.ts'
import type { Part } from '../stage.ts'

const TIMES = 5

/** Measures the start of the server on an existing data directory. Runs five times, regardless of `--rounds`. */
export const start: Part = {
  name: 'start',
  needsCurl: false,
  async run(stage) {
    const first = await startAlcove(stage.dir)
    await openAccount(first)
    await first.stop()
    const milliseconds: number[] = []
    for (let time = 1; time <= TIMES; time += 1) {
      stage.say(`start ${time} of ${TIMES}`)
      const alcove = await startAlcove(stage.dir)
      milliseconds.push(alcove.startedIn)
      await alcove.stop()
    }
    return [{ what: 'cold start, ms', alcove: milliseconds, aim: valueAtMost(700) }]
  },
}
