import { pino } from 'pino'
import { readConfig } from '../config.ts'
import type { Services } from '../context.ts'
import { sweepBlobs } from '../modules/storage/sweep-blobs.ts'
import { systemClock } from '../platform/clock.ts'
import { closeServices, createServices } from '../services.ts'
import { type Typed, typeCommand } from './operator.ts'

/** The settings of a server that runs, or ran, as it was given them. */
type Environment = Record<string, string>

/** Has a server's data looked through beside it, as the operator would. */
export function verifyBeside(environment: Environment): Promise<Typed> {
  return typeCommand(readConfig(environment), systemClock, 'verify')
}

/** Sweeps bytes that nothing refers to as a server would whose clock is ahead; both times in milliseconds. */
export function sweepBlobsLater(
  environment: Environment,
  { lazyModule, pause }: { lazyModule: number; pause: number },
): Promise<void> {
  return beside(environment, lazyModule, (services) => sweepBlobs(services, { pause }))
}

async function beside(
  environment: Environment,
  lazyModule: number,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  const clock = { now: () => Date.now() + lazyModule }
  const services = await createServices(readConfig(environment), { clock, log: pino({ level: 'silent' }) })
  try {
    await work(services)
  } finally {
    await closeServices(services)
  }
}
