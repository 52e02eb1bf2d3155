import { ConfigError } from '../config.ts'
import { AppError } from '../errors.ts'
import { type Command, CommandError, type Operator } from './command.ts'
import { commands } from './commands.ts'

/** Where a command line ends up: done; it failed; it was not understood. */
const [DONE, FAILED, MISUSED] = [0, 1, 2] as const

interface Terminal {
  print(line: string): void
  /** Prints a line where errors go. */
  complain(line: string): void
  /** Opens what a command works on, and closes it again. */
  withOperator(work: (operator: Omit<Operator, 'print'>) => Promise<void>): Promise<void>
}

/** Runs what the operator typed; answers the exit code. */
export async function runCommand(given: readonly string[], terminal: Terminal): Promise<number> {
  const [first] = given
  if (first === undefined || first === 'help' || given.includes('--help') || given.includes('-h')) {
    for (const line of describeCommands(commands)) terminal.print(line)
    return first === undefined ? MISUSED : DONE
  }
  const command = commands.find(({ name }) => name === given.slice(0, name.split(' ').length).join(' '))
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
    await terminal.withOperator((operator) => command.run({ ...operator, print: terminal.print }, ...values))
    return DONE
  } catch (error) {
    terminal.complain(describeFailure(error))
    return FAILED
  }
}

function usageOf({ name, parameters }: Command): string {
  return [name, ...parameters].join(' ')
}

function describeCommands(those: readonly Command[]): string[] {
  const width = Math.max(...those.map((command) => usageOf(command).length))
  const lines = those.map((command) => `  ${usageOf(command).padEnd(width)}  ${command.summary}`)
  return ['Usage: npm run -s alcove -- COMMAND', '', ...lines, '', 'The settings are those of the server.']
}

/** One line for what the operator can mend; the whole story for what is our fault. */
function describeFailure(error: unknown): string {
  if (error instanceof CommandError || error instanceof ConfigError || error instanceof AppError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
