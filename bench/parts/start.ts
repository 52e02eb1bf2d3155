import { openAccount } from '../account.ts'
import { startAlcove } from '../alcove.ts'
import { valueAtMost } from '../rows.ts'
import type { Part } from '../stage.ts'

const TIMES = 5

/** From spawning the server, on a data directory that exists, until it takes work. Five times, whatever the rounds. */
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
