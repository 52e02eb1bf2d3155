import { parseEnv } from 'node:util'
import { ConfigError, isSettingName, settingNames } from '../config.ts'
import { findNearest } from '../platform/nearest.ts'

/** A setting in the file, with the number of its line. */
interface Setting {
  readonly value: string
  readonly line: number
}

export interface ParsedFile {
  readonly settings: ReadonlyMap<string, Setting>
  readonly warnings: readonly string[]
}

/**
 * Parses a file of lines `NAME=value`. Node.js ignores lines that it doesn't understand, and takes `#` in a value for a comment.
 * In a file of settings these are mistakes, so they throw a `ConfigError` that names the line, as does an unknown setting.
 */
export function parseSettingsFile(text: string, path: string): ParsedFile {
  const settings = new Map<string, Setting>()
  const warnings: string[] = []
  for (const [index, content] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(#|$)/.test(content)) continue
    const line = index + 1
    const at = `${path}, line ${line}:`
    const name = findName(content, at)
    const before = settings.get(name)
    if (before) throw new ConfigError(`${at} ${name} is already set in line ${before.line}.`)
    if (isSettingName(name)) settings.set(name, { value: parseEnv(content)[name] ?? '', line })
    else if (name.startsWith('ALCOVE_')) throw new ConfigError(`${at} ${describeUnknown(name)}`)
    else warnings.push(`${at} ${name} is not a setting of Alcove and has no effect.`)
  }
  return { settings, warnings }
}

/** Returns the name in a line. Throws if the line has another form, or its value would be cut. */
function findName(content: string, at: string): string {
  const [, name, value = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(content) ?? []
  if (name === undefined) throw new ConfigError(`${at} This is not a setting. A line has the form NAME=value.`)
  const [, quote] = /^\s*(["'`])/.exec(value) ?? []
  if (quote === undefined) {
    // Before a comment there is a blank.
    if (/(^|\S)#/.test(value)) throw new ConfigError(`${at} Put the value of ${name} in quotes, because it contains #.`)
  } else if (!new RegExp(`^\\s*${quote}[^${quote}]*${quote}\\s*(#.*)?$`).test(value)) {
    throw new ConfigError(`${at} The value of ${name} must end with the quote ${quote} that it begins with.`)
  }
  return name
}

function describeUnknown(name: string): string {
  const nearest = findNearest(name, [...settingNames])
  return `${name} is not a setting of Alcove.${nearest ? ` Did you mean ${nearest}?` : ''}`
}
