import { type Config, ConfigError } from '../config.ts'
import { AppError } from '../errors.ts'
import { type Command, CommandError, type Operator } from './command.ts'
import { commands } from './commands.ts'

/** Where a command line ends up: done; it failed; it was not understood. */
const [DONE, FAILED, MISUSED] = [0, 1, 2] as const

type Opened = Omit<Operator, 'print' | 'tell'>

export interface Opening {
  /** Is done first. */
  prepare(config: Config): Promise<void>
  /** The tables stay as they are. */
  readonly leavesTables: boolean
}

interface Terminal {
  print(line: string): void
  /** Prints a line where errors go. */
  complain(line: string): void
  /** Opens what a command works on, and closes it again. */
  withOperator(work: (operator: Opened) => Promise<void>, opening: Opening): Promise<void>
}

/** Runs what the operator typed; answers the exit code. */
export async function runCommand(given: readonly string[], terminal: Terminal): Promise<number> {
  const [first] = given
  if (first === undefined || first === 'help' || given.includes('--help') || given.includes('-h')) {
    for (const line of describeHelp(given)) terminal.print(line)
    return first === undefined ? MISUSED : DONE
  }
  const command = findCommand(given)
  if (!command) {
    terminal.complain(`There is no command "${given.join(' ')}". All commands: npm run -s alcove -- --help`)
    return MISUSED
  }
  const values = given.slice(command.name.split(' ').length)
  if (values.length !== command.parameters.length) {
    terminal.complain(`Usage: npm run -s alcove -- ${usageOf(command)}`)
    return MISUSED
  }
  try {
    const { print, complain } = terminal
    await terminal.withOperator((operator) => command.run({ ...operator, print, tell: complain }, ...values), {
      prepare: async (config) => command.prepare?.(config, ...values),
      leavesTables: command.leavesTables ?? false,
    })
    return DONE
  } catch (error) {
    terminal.complain(describeFailure(error))
    return FAILED
  }
}

function findCommand(given: readonly string[]): Command | undefined {
  return commands.find(({ name }) => name === given.slice(0, name.split(' ').length).join(' '))
}

function describeHelp(given: readonly string[]): string[] {
  const command = findCommand(given)
  if (!command?.details) return describeCommands(commands)
  return [`Usage: npm run -s alcove -- ${usageOf(command)}`, '', `${command.summary}.`, '', ...command.details]
}

function usageOf({ name, parameters }: Command): string {
  return [name, ...parameters].join(' ')
}

function describeCommands(those: readonly Command[]): string[] {
  const width = Math.max(...those.map((command) => usageOf(command).length))
  const lines = those.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.summary}`)
  return ['Usage: npm run -s alcove -- COMMAND', '', ...lines, '', 'The settings are those of the server.']
}

/** Nobody answers, or refuses password, role or database. */
const DATABASE_FAILURES = new Set(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', '28P01', '28000', '3D000'])
const DISK_FAILURES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR'])

/** One line for what the operator can mend; the whole story for what is our fault. */
function describeFailure(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError || error instanceof AppError) return error.message
  if (error instanceof Error && 'code' in error && DATABASE_FAILURES.has(String(error.code))) {
    return `The database cannot be reached: ${error.message || String(error.code)}`
  }
  // A disk that is full, read-only or not there.
  if (error instanceof Error && 'code' in error && DISK_FAILURES.has(String(error.code))) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
