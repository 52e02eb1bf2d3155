import { parseArgs } from 'node:util'
import { findNearest } from '../platform/nearest.ts'
import type { CommandLine } from './command.ts'

interface Arguments {
  readonly values: readonly string[]
  readonly options: Readonly<Record<string, string | undefined>>
}

/** The command line is wrong. The message is one line that says why. */
export class UsageError extends Error {}

/** Parses what follows the name of a command. Throws a `UsageError` if it doesn't fit the command. */
export function parseArguments(command: CommandLine, given: readonly string[]): Arguments {
  const { values, positionals } = parse(command, given)
  const { parameters } = command
  const isRequired = (name: string) => !name.startsWith('[')
  const missing = parameters.find((name, index) => isRequired(name) && index >= positionals.length)
  if (missing !== undefined) throw new UsageError(`${missing.replace('…', '')} is missing.`)
  const isRepeated = parameters.at(-1)?.includes('…')
  if (positionals.length > parameters.length && !isRepeated) {
    throw new UsageError(`"${positionals[parameters.length]}" is one parameter too many.`)
  }
  const options = Object.entries(values).map(([name, value]) => [name, value === true ? '' : value])
  return { values: positionals, options: Object.fromEntries(options) }
}

function parse({ options = {}, serverOptions = [] }: CommandLine, given: readonly string[]) {
  const types = [...Object.entries(options), ...serverOptions.map((name) => [name, {}] as const)].map(
    ([name, option]) => [name, { type: 'value' in option ? 'string' : 'boolean' } as const] as const,
  )
  try {
    return parseArgs({ args: [...given], options: Object.fromEntries(types), allowPositionals: true })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    const name = /'--?([^ '=]+)/.exec(message)?.[1] ?? ''
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (option) throw new UsageError(`--${name} ${option.value ? 'needs a value' : 'takes no value'}.`)
    const nearest = findNearest(name, Object.keys(options))
    throw new UsageError(`There is no option "${name}".${nearest ? ` Did you mean --${nearest}?` : ''}`)
  }
}
