import type { Config } from '../config.ts'
import type { Services } from '../context.ts'
import type { Watch } from '../modules/admin/index.ts'
import type { Settings } from '../settings/settings.ts'
import type { Sign, StatusLine } from './terminal.ts'

/** The services and the terminal that a command works with. */
export interface Operator {
  readonly services: Services
  readonly config: Config
  /** The options of the command line by name. One without a value has an empty text. */
  readonly options: Readonly<Record<string, string | undefined>>
  /** Returns the settings with some variables changed. An empty value unsets a variable. */
  settingsWith(changes: Record<string, string>): Config
  /** Prints a line, after a sign if there is one. */
  print(line: string, sign?: Sign): void
  /** Prints a line about the progress to standard error. */
  tell(line: string): void
  /** The line for the progress, undefined unless standard error is a terminal. `Progress` writes it. */
  readonly status?: StatusLine | undefined
  /** Gets the progress in bytes. `Progress` calls it. */
  readonly watch?: Watch
}

/** An option such as `--into PATH`. */
export interface Option {
  /** The name of its value, such as `PATH`. Left out if it has none. */
  readonly value?: string
  readonly summary: string
}

/** What the command line, its help and its completion know of a command. */
export interface CommandLine {
  /** The words that call it, such as `user activate`. */
  readonly name: string
  /** The parameters after the name, in order: `EMAIL`; `[NAME]` may be left out; the last may be repeated, `FILE…`. */
  readonly parameters: readonly string[]
  /** The options by name, without dashes. */
  readonly options?: Readonly<Record<string, Option>>
  /** Options without a value that only the server gives, and that no help text shows. */
  readonly serverOptions?: readonly string[]
  readonly summary: string
  /** Further lines of its help text. */
  readonly details?: readonly string[]
}

/** A command of the operator's command line. */
export interface Command extends CommandLine {
  /** Runs the command. Throws a `CommandError` if it can't be done. */
  run(operator: Operator, ...given: string[]): Promise<void>
  /** Runs before the database and the data directory are opened and the tables are migrated. */
  prepare?(config: Config, ...given: string[]): Promise<void>
  /** Leaves the tables at their version, because the command creates or checks them itself. */
  readonly leavesTables?: boolean
}

/** A command that only prints, and opens neither the database nor the data directory. */
export interface PrintingCommand extends CommandLine {
  /** Returns or generates the lines. Throws a `UsageError` or `ConfigError` if something is wrong. */
  lines(about: About, ...given: string[]): Iterable<string>
}

/** What a command can print. */
export interface About extends Pick<Operator, 'options'> {
  readonly commands: readonly CommandLine[]
  /** Reads the settings. */
  settings(): Settings
}

/** A command can't be done. The message is one line that says why. */
export class CommandError extends Error {}
