import type { Config } from '../config.ts'
import type { Services } from '../context.ts'

/** What a command of the operator is given. */
export interface Operator {
  readonly services: Services
  readonly config: Config
  /** What the settings would be if some were others; empty ones count as not given. */
  settingsWith(changes: Record<string, string>): Config
  /** Prints a line. */
  print(line: string): void
  /** Tells how far it is, where errors go. */
  tell(line: string): void
}

/** A command of the operator's command line. */
export interface Command {
  /** How it is called, like `user activate`. */
  readonly name: string
  /** What follows its name, in the order it is given: `EMAIL`. */
  readonly parameters: readonly string[]
  readonly summary: string
  /** More of its help, in lines. */
  readonly details?: readonly string[]
  /** Throws a `CommandError` with a sentence when it cannot be done. */
  run(operator: Operator, ...given: string[]): Promise<void>
  /** What has to be seen to before database and data directory are opened, and the tables made. */
  prepare?(config: Config, ...given: string[]): Promise<void>
  /** Finds the tables as they are: it makes them itself. */
  readonly leavesTables?: boolean
}

/** What the operator asked for cannot be done; the message is one line that says why. */
export class CommandError extends Error {}
