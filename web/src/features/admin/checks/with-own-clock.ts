import type { CheckResult } from '@alcove/contract/admin-checks'

/** A response takes some time, and the clocks of laptops are not exact. In milliseconds. */
const DIFFERS = 30_000

/** Returns the checks with the clock compared to that of this browser, if the server has no other one to compare it with. */
export function withOwnClock(checks: readonly CheckResult[], difference: number): CheckResult[] {
  return checks.map((check) => (check.id === 'clock' && check.state === 'skipped' ? compare(check, difference) : check))
}

function compare(check: CheckResult, difference: number): CheckResult {
  const seconds = Math.round(Math.abs(difference) / 1000)
  if (Math.abs(difference) < DIFFERS) {
    return { ...check, state: 'ok', message: 'The clock of the server agrees with that of your browser.' }
  }
  return {
    ...check,
    state: 'warning',
    message: `The clock of the server is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} that of your browser.`,
    fix: 'Turn on time synchronization on the one that is wrong; on the server for example with “timedatectl set-ntp true”.',
  }
}
