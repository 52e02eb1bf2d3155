import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { type Config, ConfigError, settingNames } from '../../config.ts'
import { CommandError, type Operator } from '../command.ts'
import { describeStore } from './move-marker.ts'

/** The settings of the place to move to: those of now, with what a file of lines `NAME=value` changes of them. */
export async function readTarget({ config, settingsWith }: Operator, file: string): Promise<Config> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code}). TARGET is a file of settings, see --help.`)
  })
  const changes = parseEnv(text) as Record<string, string>
  const unknown = Object.keys(changes).find((name) => name.startsWith('ALCOVE_') && !settingNames.has(name))
  if (unknown !== undefined) throw new CommandError(`${file}: ${unknown} is no setting of Alcove.`)
  const target = readSettings(file, () => settingsWith(changes))
  const isSameFolder = target.dataDir === config.dataDir
  if (target.databaseUrl === config.databaseUrl && (target.databaseUrl !== undefined || isSameFolder)) {
    throw new CommandError(`${file} names the database that everything lies in now. ${APART}`)
  }
  if (describeStore(target) === describeStore(config)) {
    throw new CommandError(`${file} names the store that the bytes lie in now. ${APART}`)
  }
  return target
}

const APART =
  'Database and store both have to be others: where one of them is to stay in a data directory, name a new ALCOVE_DATA_DIR.'

function readSettings(file: string, read: () => Config): Config {
  try {
    return read()
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(`${file}: ${error.message}`)
    throw error
  }
}
