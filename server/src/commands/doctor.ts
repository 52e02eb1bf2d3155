import type { CheckState } from '@alcove/contract/admin-checks'
import { checkEverything } from '../modules/admin/index.ts'
import { type Command, CommandError } from './command.ts'
import { showPhase } from './progress.ts'
import type { Sign } from './terminal.ts'

export const doctor: Command = {
  name: 'doctor',
  parameters: [],
  summary: 'Check addresses, mail, payments, programs and disk, and say how to fix what is wrong',
  leavesTables: true,
  async run(operator) {
    const { services, print } = operator
    showPhase(operator, 'Checking everything')
    const results = await checkEverything(services)
    const width = Math.max(...results.map(({ label }) => label.length))
    for (const { label, state, message, fix } of results) {
      print(`${label.padEnd(width)}  ${message}`, SIGNS[state])
      if (fix !== null) print(`  ${''.padEnd(width)}  ${fix}`)
    }
    const failures = results.filter(({ state }) => state === 'failed').length
    if (failures > 0) throw new CommandError(`${failures} ${failures === 1 ? 'check' : 'checks'} failed.`)
  },
}

const SIGNS: Readonly<Record<CheckState, Sign>> = {
  ok: { text: '✓', color: 'green' },
  warning: { text: '!', color: 'yellow' },
  failed: { text: '✗', color: 'red' },
  skipped: { text: '–', color: 'gray' },
}
