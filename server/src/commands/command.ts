import type { Config } from '../config.ts'
import type { Services } from '../context.ts'
import type { StatusLine } from './terminal.ts'

/** The services and the terminal that a command works with. */
export interface Operator {
  readonly services: Services
  readonly config: Config
  /** Returns the settings with some variables changed. An empty value unsets a variable. */
  settingsWith(changes: Record<string, string>): Config
  /** Prints a line. */
  print(line: string): void
  /** Prints a line about the progress to standard error. */
  tell(line: string): void
  /** The line for the progress, undefined unless standard error is a terminal. `Progress` writes it. */
  readonly status?: StatusLine | undefined
}

/** A command of the operator's command line. */
export interface Command {
  /** The words that call it, such as `user activate`. */
  readonly name: string
  /** The parameters after the name, in order, such as `EMAIL`. */
  readonly parameters: readonly string[]
  readonly summary: string
  /** Further lines of its help text. */
  readonly details?: readonly string[]
  /** Runs the command. Throws a `CommandError` if it can't be done. */
  run(operator: Operator, ...given: string[]): Promise<void>
  /** Runs before the database and the data directory are opened and the tables are migrated. */
  prepare?(config: Config, ...given: string[]): Promise<void>
  /** Leaves the tables at their version, because the command creates or checks them itself. */
  readonly leavesTables?: boolean
}

/** A command can't be done. The message is one line that says why. */
export class CommandError extends Error {}
