import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { type ParsedFile, parseSettingsFile } from './parse-settings-file.ts'
import { isSecret } from './secret-settings.ts'

/** The file with settings, in the working folder. */
export const SETTINGS_FILE = 'alcove.env'

type Variables = Readonly<Record<string, string | undefined>>

/** The settings in force. Those of the environment take precedence over those of the file. */
export interface Settings {
  readonly variables: Variables
  /** The path of the file, whether or not it exists. */
  readonly path: string
  /** The settings of the file. Undefined if there is no file. */
  readonly file: ParsedFile['settings'] | undefined
  readonly warnings: readonly string[]
}

/** Reads the file with settings. Throws a `ConfigError` that names the line if it has a mistake. */
export function readSettings(environment: Variables, folder: string): Settings {
  const path = join(folder, SETTINGS_FILE)
  const text = readText(path)
  if (text === undefined) return { variables: environment, path, file: undefined, warnings: [] }
  const { settings: file, warnings } = parseSettingsFile(text, path)
  const variables = { ...environment }
  // An empty variable counts as unset.
  for (const [name, { value }] of file) variables[name] ||= value
  return { variables, path, file, warnings: [...warnings, ...findExposedSecrets(path, file)] }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new ConfigError(`${path} can't be read (${code}). Make it a file that this user can read, or remove it.`)
  }
}

function findExposedSecrets(path: string, file: ParsedFile['settings']): string[] {
  const secrets = [...file].filter(([name, { value }]) => isSecret(name, value)).map(([name]) => name)
  const mode = statSync(path).mode & 0o777
  if (secrets.length === 0 || (mode & 0o077) === 0) return []
  return [
    `${path} can be read by other users (mode ${mode.toString(8)}), and contains ${secrets.join(', ')}. Run: chmod 600 ${path}`,
  ]
}

/**
 * Returns the settings as the program uses them, with some variables changed. Throws a `ConfigError` if a value is invalid, with its
 * line if it comes from the file.
 */
export function toConfig({ variables, path, file }: Settings, changes: Variables = {}): Config {
  try {
    return readConfig({ ...variables, ...changes })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [name = ''] = error.message.split(' ')
    const line = file?.get(name)?.line
    const isFromFile = line !== undefined && variables[name] === file?.get(name)?.value && changes[name] === undefined
    throw isFromFile ? new ConfigError(`${path}, line ${line}: ${error.message}`) : error
  }
}
