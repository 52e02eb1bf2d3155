import { type Config, ConfigError } from '../config.ts'
import { AppError } from '../errors.ts'
import { backup } from './backups/backup.ts'
import { restore } from './backups/restore.ts'
import { type Command, CommandError, type Operator } from './command.ts'
import { migrateTo } from './moving/migrate-to.ts'
import { stripeSyncPlans } from './stripe-sync-plans.ts'
import type { Output } from './terminal.ts'
import { userActivate, userDelete, userDisableTwoFactor, userList, userSetPlan, userSetRole } from './users.ts'
import { verify } from './verify.ts'

/** All commands, in the order of the help text. Add new commands here. */
const commands: readonly Command[] = [
  userList,
  userActivate,
  userSetPlan,
  userSetRole,
  userDisableTwoFactor,
  userDelete,
  stripeSyncPlans,
  verify,
  backup,
  restore,
  migrateTo,
]

/** The exit codes: success, failure, and wrong usage. */
const [SUCCESS, FAILURE, USAGE_ERROR] = [0, 1, 2] as const

type Opened = Omit<Operator, 'print' | 'tell' | 'status'>

interface Opening {
  /** Runs first. */
  prepare(config: Config): Promise<void>
  /** Whether the tables are left at their version. */
  readonly leavesTables: boolean
}

interface Terminal extends Output {
  /** Opens the services that a command works on, and closes them afterwards. */
  withOperator(work: (operator: Opened) => Promise<void>, opening: Opening): Promise<void>
}

/** Runs the operator's command line and returns the exit code. */
export async function runCommand(given: readonly string[], terminal: Terminal): Promise<number> {
  const [first] = given
  if (first === undefined || first === 'help' || given.includes('--help') || given.includes('-h')) {
    for (const line of describeHelp(given)) terminal.print(line)
    return first === undefined ? USAGE_ERROR : SUCCESS
  }
  const command = findCommand(given)
  if (!command) {
    terminal.printError(`There is no command "${given.join(' ')}". All commands: npm run -s alcove -- --help`)
    return USAGE_ERROR
  }
  const values = given.slice(command.name.split(' ').length)
  if (values.length !== command.parameters.length) {
    terminal.printError(`Usage: npm run -s alcove -- ${usageOf(command)}`)
    return USAGE_ERROR
  }
  try {
    const { print, printError: tell, status } = terminal
    await terminal.withOperator((operator) => command.run({ ...operator, print, tell, status }, ...values), {
      prepare: async (config) => command.prepare?.(config, ...values),
      leavesTables: command.leavesTables ?? false,
    })
    return SUCCESS
  } catch (error) {
    terminal.printError(describeFailure(error))
    return FAILURE
  }
}

function findCommand(given: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name === given.slice(0, name.split(' ').length).join(' '))
}

function describeHelp(given: readonly string[]): string[] {
  const command = findCommand(given)
  if (!command?.details) return describeCommands()
  return [`Usage: npm run -s alcove -- ${usageOf(command)}`, '', `${command.summary}.`, '', ...command.details]
}

function usageOf({ name, parameters }: Command): string {
  return [name, ...parameters].join(' ')
}

function describeCommands(): string[] {
  const width = Math.max(...commands.map((command) => usageOf(command).length))
  const lines = commands.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.summary}`)
  return ['Usage: npm run -s alcove -- COMMAND', '', ...lines, '', 'The settings are those of the server.']
}

/** The database doesn't respond, or rejects the password, role or name. */
const DATABASE_FAILURES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '28P01', '28000', '3D000'])
const DISK_FAILURES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR'])

/** Describes a failure: one line if the operator can fix it, the whole error otherwise. */
function describeFailure(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError || error instanceof AppError) return error.message
  if (error instanceof Error && 'code' in error && DATABASE_FAILURES.has(String(error.code))) {
    return `The database cannot be reached: ${error.message || String(error.code)}`
  }
  // The disk is full, read-only or not mounted.
  if (error instanceof Error && 'code' in error && DISK_FAILURES.has(String(error.code))) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
