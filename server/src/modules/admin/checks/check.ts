import type { CheckResult, CheckState } from '@alcove/contract/admin-checks'
import type { Services } from '../../../context.ts'
import { codeOf } from './error-code.ts'
import type { AddressProbe } from './probe-address.ts'

/** What a check has found. `fix` says what to do about it. */
export interface Finding {
  readonly state: CheckState
  readonly message: string
  readonly fix?: string
}

/** What a check may use. */
export interface Checking {
  readonly services: Services
  /** Aborts when the time for the check is over. */
  readonly signal: AbortSignal
  /** Requests the public address, once for all checks of a run. */
  probeAddress(): Promise<AddressProbe>
}

/** Checks one part of the server's surroundings. Its texts never contain a secret. */
export interface Check {
  readonly id: string
  readonly label: string
  /** Whether it only reads the database, and so can run for each request. */
  readonly isQuick?: boolean
  run(checking: Checking): Promise<Finding>
}

export const ok = (message: string): Finding => ({ state: 'ok', message })
export const skipped = (message: string): Finding => ({ state: 'skipped', message })
export const warning = (message: string, fix: string): Finding => ({ state: 'warning', message, fix })
export const failed = (message: string, fix: string): Finding => ({ state: 'failed', message, fix })

/** Runs a check within its time. Whatever goes wrong becomes its result. */
export async function runCheck({ id, label, run }: Check, checking: Checking): Promise<CheckResult> {
  const found = await Promise.race([run(checking), whenTimeIsOver(checking.signal)]).catch(describeBroken)
  return { id, label, state: found.state, message: found.message, fix: found.fix ?? null }
}

function whenTimeIsOver(signal: AbortSignal): Promise<Finding> {
  return new Promise((resolve) => {
    const end = () =>
      resolve(failed('The check took too long.', 'Look at the server’s load and its connections, and run it again.'))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

function describeBroken(error: unknown): Finding {
  return failed(`The check failed: ${codeOf(error)}.`, 'The log of the server may say more.')
}
