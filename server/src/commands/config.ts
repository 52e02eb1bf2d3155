import { describeSettings } from '../settings/describe-settings.ts'
import { toConfig } from '../settings/settings.ts'
import type { PrintingCommand } from './command.ts'

export const config: PrintingCommand = {
  name: 'config',
  parameters: [],
  options: { changed: { summary: 'Only settings that differ from their defaults' } },
  summary: 'Show the settings in force and where they come from, without secrets',
  details: [
    'Settings come from the environment and from the file alcove.env in the working folder, one NAME=value per line.',
    'The environment takes precedence.',
  ],
  *lines({ options, settings }) {
    const found = settings()
    const all = describeSettings(found)
    const shown = options.changed === undefined ? all : all.filter(({ source }) => source !== 'default')
    const [name, source] = (['name', 'source'] as const).map((field) =>
      Math.max(...all.map((one) => one[field].length)),
    )
    for (const one of shown) {
      yield `${one.name.padEnd(name ?? 0)}  ${one.source.padEnd(source ?? 0)}  ${one.value}`
    }
    if (shown.length === 0) yield 'All settings have their defaults.'
    if (found.file === undefined) yield `There is no file ${found.path}.`
    for (const warning of found.warnings) yield `Warning: ${warning}`
    // Throws if a setting is invalid.
    toConfig(found)
  },
}
