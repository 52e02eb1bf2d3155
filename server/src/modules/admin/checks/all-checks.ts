import type { CheckResult } from '@alcove/contract/admin-checks'
import type { Services } from '../../../context.ts'
import { backups } from '../backups/backups-check.ts'
import { backgroundJobs } from '../jobs/jobs-check.ts'
import { damagedFiles } from '../storage/storage-check.ts'
import { https, proxyHeaders, publicAddress } from './address-checks.ts'
import { type Check, runCheck } from './check.ts'
import { clock, dataFolder, disk, ffmpeg } from './machine-checks.ts'
import { payments } from './payment-checks.ts'
import { type AddressProbe, probeAddress } from './probe-address.ts'
import { database, mail, redis, storedBytes } from './service-checks.ts'
import { signIn } from './sign-in-check.ts'

/** Every check, in the order in which they are shown. Another module exports its own from its index.ts. */
const checks: readonly Check[] = [
  publicAddress,
  proxyHeaders,
  https,
  mail,
  payments,
  signIn,
  database,
  storedBytes,
  disk,
  damagedFiles,
  backgroundJobs,
  backups,
  redis,
  clock,
  ffmpeg,
  dataFolder,
]

/** The time for each check, in milliseconds. They run at the same time. */
const TIMEOUT = 15_000

/** Runs all checks at once. */
export function checkEverything(services: Services): Promise<CheckResult[]> {
  return runAll(services, checks)
}

/** Runs the checks that only read the database. */
export function checkQuickly(services: Services): Promise<CheckResult[]> {
  return runAll(
    services,
    checks.filter(({ isQuick }) => isQuick),
  )
}

function runAll(services: Services, chosen: readonly Check[]): Promise<CheckResult[]> {
  const signal = AbortSignal.timeout(TIMEOUT)
  let probe: Promise<AddressProbe> | undefined
  const probeOnce = () => (probe ??= probeAddress(services, AbortSignal.timeout(TIMEOUT - 5000)))
  return Promise.all(chosen.map((check) => runCheck(check, { services, signal, probeAddress: probeOnce })))
}
