import { pino } from 'pino'
import { expect, onTestFailed } from 'vitest'
import { runCommand } from '../../commands/commands.ts'
import { type Config, readConfig } from '../../config.ts'
import type { Services } from '../../context.ts'
import { sweepBlobs } from '../../modules/storage/sweep-blobs.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { closeServices, createServices } from '../../services.ts'
import type { Settings } from '../../settings/settings.ts'

export interface CommandResult {
  code: number
  printed: string[]
  errors: string[]
}

/** Runs an operator command in this process, with services of its own, as beside a server with the same settings. */
export async function runTestCommand(config: Config, clock: Clock, ...given: string[]): Promise<CommandResult> {
  const printed: string[] = []
  const errors: string[] = []
  const code = await runCommand(given, {
    print: (line, sign) => printed.push(sign ? `${sign.text} ${line}` : line),
    printError: (line) => errors.push(line),
    settings: noSettings,
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
  // Tests often compare only the exit code, so a failing test prints the errors.
  const isInTest = expect.getState().currentTestName !== undefined
  if (code !== 0 && isInTest) onTestFailed(() => console.error(given.join(' '), errors))
  return { code, printed, errors }
}

/** Returns settings without any variable, for commands that don't show them. */
export const noSettings = (): Settings => ({ variables: {}, path: '', file: undefined, warnings: [] })

/** Returns the environment variables for settings that say where everything is stored. */
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

/** The environment variables of a server. */
type Environment = Record<string, string>

/** Runs the `verify` command on a server's data, which works while the server runs. */
export function runVerify(environment: Environment): Promise<CommandResult> {
  return runTestCommand(readConfig(environment), systemClock, 'verify')
}

/** Sweeps unreferenced bytes as a server whose clock is ahead would do. Both times are in milliseconds. */
export function sweepBlobsLater(
  environment: Environment,
  { ahead, pause }: { ahead: number; pause: number },
): Promise<void> {
  return withServices(environment, ahead, (services) => sweepBlobs(services, { pause }))
}

async function withServices(
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
