import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { CommandError } from '../command.ts'
import { type Manifest, SANDBOX, SECRET, writeDurably } from './manifest.ts'

/** Refuses a place where anything is, and puts the secret there, which everything else is opened with. */
export async function prepareRestore(config: Config, folder: string, manifest: Manifest): Promise<void> {
  const { dataDir } = config
  const found = await readdir(dataDir).catch(() => [])
  if (found.some((name) => name !== 'lost+found')) {
    throw new CommandError(`${dataDir} is not empty: a backup is restored into an empty data directory alone.`)
  }
  if (config.databaseUrl !== undefined) await assertEmptyDatabase(config)
  const secret = await readFile(join(folder, manifest.folder, SECRET), 'utf8')
  if (config.secret !== undefined && config.secret !== secret) {
    throw new CommandError('ALCOVE_SECRET is another one than that of the backup. Give that one, or none.')
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (config.secret === undefined) await writeDurably(dataDir, SECRET, secret)
  if (manifest.hasSandbox) await copyFile(join(folder, manifest.folder, SANDBOX), join(dataDir, SANDBOX))
}

async function assertEmptyDatabase(config: Config): Promise<void> {
  const db = openDatabase(config)
  try {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    if (tables.length > 0)
      throw new CommandError('The database is not empty: a backup is restored into an empty one alone.')
  } finally {
    await db.destroy()
  }
}
