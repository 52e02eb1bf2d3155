import { findNearest } from '../platform/nearest.ts'
import type { CommandLine, PrintingCommand } from './command.ts'
import { UsageError } from './parse-arguments.ts'

export const help: PrintingCommand = {
  name: 'help',
  parameters: ['[COMMAND…]'],
  summary: 'Show all commands, or the help of one',
  lines: ({ commands }, ...words) => describeHelp(commands, words),
}

const FOOTER = [
  'Examples:',
  '  alcove user list',
  '  alcove user activate mara@example.com',
  '  alcove backup /mnt/backup/alcove',
  '  alcove help migrate-to',
  '  alcove --version',
  '',
  'In the folder of Alcove, run it as "npx alcove". The settings are those of the server.',
  'Exit codes: 0 done; 1 failed, and the last line says why; 2 the command line was wrong.',
]

/** Describes the command that the words name, the commands that begin with the words, or all commands if there are no words. */
export function describeHelp(commands: readonly CommandLine[], words: readonly string[]): string[] {
  if (words.length === 0) return ['Usage: alcove COMMAND', '', ...listCommands(commands), '', ...FOOTER]
  const command = findCommand(commands, words)
  if (command) return describeCommand(command)
  const group = commands.filter(({ name }) => name.startsWith(`${words.join(' ')} `))
  if (group.length > 0) return [`Usage: alcove ${words.join(' ')} …`, '', ...listCommands(group)]
  throw unknownCommand(commands, words)
}

function describeCommand(command: CommandLine): string[] {
  const options = Object.entries(command.options ?? {}).map(([name, { value = '', summary }]) => {
    return [`--${name} ${value}`, summary] as const
  })
  const blocks = [[`${command.summary}.`], inColumns(options), command.details ?? []]
  return [
    `Usage: alcove ${usageOf(command)}`,
    ...blocks.filter((lines) => lines.length > 0).flatMap((lines) => ['', ...lines]),
  ]
}

function listCommands(commands: readonly CommandLine[]): string[] {
  return inColumns(commands.map(({ name, parameters, summary }) => [[name, ...parameters].join(' '), summary]))
}

function inColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`)
}

/** Returns the name of a command with its parameters and options. */
export function usageOf({ name, parameters, options = {} }: CommandLine): string {
  const flags = Object.entries(options).map(([flag, { value }]) => `[--${flag}${value ? ` ${value}` : ''}]`)
  return [name, ...parameters, ...flags].join(' ')
}

/** Returns the command that a command line calls. */
export function findCommand<Known extends CommandLine>(
  commands: readonly Known[],
  words: readonly string[],
): Known | undefined {
  return commands.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '))
}

/** Returns an error that names the command that was probably meant. */
export function unknownCommand(commands: readonly CommandLine[], words: readonly string[]): UsageError {
  const group = commands.filter(({ name }) => name.startsWith(`${words[0]} `)).map(({ name }) => name)
  const names = commands.map(({ name }) => name)
  const nearest = [2, 1].map((count) => {
    const sameLength = names.filter((name) => name.split(' ').length === count)
    return findNearest(words.slice(0, count).join(' '), sameLength)
  })
  const [meant] = nearest.filter((name) => name !== undefined)
  const problem = `There is no command "${words.join(' ')}".`
  if (meant) return new UsageError(`${problem} Did you mean "${meant}"?`)
  return new UsageError(group.length > 0 ? `${problem} There are ${group.join(', ')}.` : problem)
}
