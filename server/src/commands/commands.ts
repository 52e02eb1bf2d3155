import { type Config, ConfigError } from '../config.ts'
import { AppError } from '../errors.ts'
import { version } from '../platform/version.ts'
import type { Settings } from '../settings/settings.ts'
import { backup } from './backups/backup.ts'
import { restore } from './backups/restore.ts'
import { verifyBackup } from './backups/verify-backup.ts'
import { type Command, CommandError, type Operator, type PrintingCommand } from './command.ts'
import { completion } from './completion.ts'
import { config } from './config.ts'
import { databaseCompact } from './database-compact.ts'
import { doctor } from './doctor.ts'
import { exportFiles } from './exporting/export.ts'
import { describeHelp, findCommand, help, unknownCommand, usageOf } from './help.ts'
import { importFiles } from './importing/import.ts'
import { maintenanceOff, maintenanceOn } from './maintenance.ts'
import { migrateTo } from './moving/migrate-to.ts'
import { parseArguments, UsageError } from './parse-arguments.ts'
import { plansReset, plansSet, plansShow } from './plans.ts'
import { plansSwitch, signUpSet, signUpShow, signUpTwoFactor, userCreate, userInvite } from './sign-up.ts'
import { stripeSyncPlans } from './stripe-sync-plans.ts'
import type { Output } from './terminal.ts'
import {
  userActivate,
  userDelete,
  userDisableTwoFactor,
  userKeep,
  userList,
  userSetPlan,
  userSetQuota,
  userSetRole,
  userSignOut,
  userSuspend,
  userUnsuspend,
} from './users.ts'
import { verify } from './verify.ts'

/** All commands, in the order of the help text. Add new commands here. */
const commands: readonly (Command | PrintingCommand)[] = [
  userList,
  userInvite,
  userCreate,
  userActivate,
  userSetPlan,
  userSetQuota,
  userSetRole,
  userDisableTwoFactor,
  userSignOut,
  userSuspend,
  userUnsuspend,
  userKeep,
  userDelete,
  importFiles,
  exportFiles,
  maintenanceOn,
  maintenanceOff,
  signUpShow,
  signUpSet,
  signUpTwoFactor,
  plansShow,
  plansSet,
  plansReset,
  plansSwitch,
  stripeSyncPlans,
  doctor,
  verify,
  backup,
  verifyBackup,
  restore,
  migrateTo,
  databaseCompact,
  config,
  completion,
  help,
]

/** The exit codes: success, failure, and wrong usage. */
const [SUCCESS, FAILURE, USAGE_ERROR] = [0, 1, 2] as const

type Opened = Pick<Operator, 'services' | 'config' | 'settingsWith'>

interface Opening {
  /** Runs first. */
  prepare(config: Config): Promise<void>
  /** Whether the tables are left at their version. */
  readonly leavesTables: boolean
}

interface Terminal extends Output {
  /** Reads the settings, without checking the values. */
  settings(): Settings
  /** Opens the services that a command works on, and closes them afterwards. */
  withOperator(work: (operator: Opened) => Promise<void>, opening: Opening): Promise<void>
}

/** Runs the operator's command line and returns the exit code. */
export async function runCommand(given: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(given, terminal)
  } catch (error) {
    terminal.printError(describeFailure(error))
    if (!(error instanceof UsageError)) return FAILURE
    const command = findCommand(commands, given)
    terminal.printError(command ? `Usage: alcove ${usageOf(command)}` : 'All commands: alcove help')
    return USAGE_ERROR
  }
}

async function run(given: readonly string[], terminal: Terminal): Promise<number> {
  const { print, printError: tell, status } = terminal
  const words = given.filter((word) => !HELP_FLAGS.has(word))
  if (words.length === 0 || words.length < given.length) {
    for (const line of describeHelp(commands, words)) print(line)
    return given.length === 0 ? USAGE_ERROR : SUCCESS
  }
  if (given[0] === '--version') {
    print(version)
    return SUCCESS
  }
  const command = findCommand(commands, given)
  if (!command) throw unknownCommand(commands, given)
  const { values, options } = parseArguments(command, given.slice(command.name.split(' ').length))
  if ('lines' in command) {
    for (const line of command.lines({ commands, options, settings: terminal.settings }, ...values)) print(line)
    return SUCCESS
  }
  await terminal.withOperator((operator) => command.run({ ...operator, options, print, tell, status }, ...values), {
    prepare: async (config) => command.prepare?.(config, ...values),
    leavesTables: command.leavesTables ?? false,
  })
  return SUCCESS
}

const HELP_FLAGS = new Set(['--help', '-h'])

/** The database doesn't respond, or rejects the password, role or name. */
const DATABASE_FAILURES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '28P01', '28000', '3D000'])
const DISK_FAILURES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR'])

/** Errors whose message says what is wrong. */
const FAILURES = [CommandError, UsageError, ConfigError, AppError]

/** Describes a failure: one line if the operator can fix it, the whole error otherwise. */
function describeFailure(error: unknown): string {
  if (FAILURES.some((known) => error instanceof known)) return (error as Error).message
  if (error instanceof Error && 'code' in error && DATABASE_FAILURES.has(String(error.code))) {
    return `The database cannot be reached: ${error.message || String(error.code)}`
  }
  // The disk is full, read-only or not mounted.
  if (error instanceof Error && 'code' in error && DISK_FAILURES.has(String(error.code))) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
