import { pino } from 'pino'
import { expect, onTestFailed } from 'vitest'
import { runCommand } from '../../commands/commands.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Services } from '../../context.ts'
import { sweepBlobs } from '../../modules/storage/sweep-blobs.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { closeServices, createServices } from '../../services.ts'

export interface Typed {
  code: number
  printed: string[]
  complaints: string[]
}

/** What the operator types, as a program of its own beside the server that has the same settings. */
export async function typeCommand(config: Config, clock: Clock, ...given: string[]): Promise<Typed> {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await runCommand(given, {
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
    withOperator: async (work, { prepare, leavesTables }) => {
      await prepare(config)
      const services = await createServices(config, { clock, log: pino({ level: 'silent' }), leavesTables })
      try {
        await work({
          services,
          config,
          settingsWith: (changes) => readConfig({ ...environmentOf(config), ...changes }),
        })
      } finally {
        await closeServices(services)
      }
    },
  })
  // What a test compares is often the code alone; why it was another one is said where that fails.
  const isInTest = expect.getState().currentTestName !== undefined
  if (code !== 0 && isInTest) onTestFailed(() => console.error(given.join(' '), complaints))
  return { code, printed, complaints }
}

/** The variables that say of settings where everything lies. */
export function environmentOf({ dataDir, databaseUrl, s3, secret }: Config): Record<string, string> {
  return {
    ALCOVE_DATA_DIR: dataDir,
    ALCOVE_DATABASE_URL: databaseUrl ?? '',
    ALCOVE_S3_ENDPOINT: s3?.endpoint ?? '',
    ALCOVE_S3_BUCKET: s3?.bucket ?? '',
    ALCOVE_S3_REGION: s3?.region ?? '',
    ALCOVE_S3_ACCESS_KEY_ID: s3?.accessKeyId ?? '',
    ALCOVE_S3_SECRET_ACCESS_KEY: s3?.secretAccessKey ?? '',
    ALCOVE_SECRET: secret ?? '',
    ALCOVE_RATE_LIMITS: 'off',
  }
}

/** The settings of a server that runs, or ran, as it was given them. */
type Environment = Record<string, string>

/** Has a server's data looked through beside it, as the operator would. */
export function verifyBeside(environment: Environment): Promise<Typed> {
  return typeCommand(readConfig(environment), systemClock, 'verify')
}

/** Sweeps bytes that nothing refers to as a server would whose clock is ahead; both times in milliseconds. */
export function sweepBlobsLater(
  environment: Environment,
  { ahead, pause }: { ahead: number; pause: number },
): Promise<void> {
  return beside(environment, ahead, (services) => sweepBlobs(services, { pause }))
}

async function beside(
  environment: Environment,
  ahead: number,
  work: (services: Services) => Promise<void>,
): Promise<void> {
  const clock = { now: () => Date.now() + ahead }
  const services = await createServices(readConfig(environment), { clock, log: pino({ level: 'silent' }) })
  try {
    await work(services)
  } finally {
    await closeServices(services)
  }
}
