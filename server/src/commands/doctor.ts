import { styleText } from 'node:util'
import type { CheckResult, CheckState } from '@alcove/contract/admin-checks'
import { checkEverything } from '../modules/admin/index.ts'
import { type Command, CommandError } from './command.ts'

export const doctor: Command = {
  name: 'doctor',
  parameters: [],
  summary: 'Check addresses, mail, payments, programs and disk, and say how to fix what is wrong',
  leavesTables: true,
  async run({ services, print }) {
    const results = await checkEverything(services)
    const width = Math.max(...results.map(({ label }) => label.length))
    for (const result of results) for (const line of describeResult(result, width)) print(line)
    const failures = results.filter(({ state }) => state === 'failed').length
    if (failures > 0) throw new CommandError(`${failures} ${failures === 1 ? 'check' : 'checks'} failed.`)
  },
}

const SIGNS = { ok: '✓', warning: '!', failed: '✗', skipped: '–' } as const satisfies Record<CheckState, string>
const COLORS = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'gray' } as const

/** Colors the sign only on a terminal. */
function describeResult({ label, state, message, fix }: CheckResult, width: number): string[] {
  const sign = styleText(COLORS[state], SIGNS[state], { stream: process.stdout })
  const found = `${sign} ${label.padEnd(width)}  ${message}`
  return fix === null ? [found] : [found, `  ${''.padEnd(width)}  ${fix}`]
}
