import { runChecks } from './checks/run-checks.ts'
import { type Command, CommandError } from './command.ts'

export const verify: Command = {
  name: 'verify',
  parameters: [],
  summary: 'Read every blob and compare it with its size and digest, and the used bytes with the files',
  async run(operator) {
    const faults = await runChecks(operator)
    if (faults > 0) throw new CommandError(`Something is wrong in ${faults} ${faults === 1 ? 'place' : 'places'}.`)
    operator.print('Everything is whole.')
  },
}
