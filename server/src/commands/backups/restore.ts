import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { BlobArchive, openReplica } from '../../platform/blobs/blob-replica.ts'
import { engineOf, isMigrationKnown, migrate, openDatabase } from '../../platform/db/database.ts'
import { isTooOld } from '../../platform/db/migrations/fold-old-migrations.ts'
import { type Command, CommandError, type Operator } from '../command.ts'
import { Progress, showPhase } from '../progress.ts'
import { runChecks } from '../verify.ts'
import { type NamedBlob, restoreBlobs } from './copy-blobs.ts'
import { digestSecret, getManifest, type Manifest, SANDBOX, SECRET, tablePath, writeDurably } from './manifest.ts'
import { digestFile, loadTables, readLines } from './table-files.ts'

export const restore: Command = {
  name: 'restore',
  parameters: ['DIR'],
  summary: 'Restore a backup into an empty data directory and database',
  leavesTables: true,
  async prepare(config, directory = '') {
    const folder = resolve(directory)
    const manifest = await getManifest(folder)
    await checkBackup(folder, manifest)
    await prepareRestore(config, folder, manifest)
  },
  async run(operator, directory = '') {
    const folder = resolve(directory)
    const manifest = await getManifest(folder)
    if (!(await operator.services.blobs.isEmpty())) {
      throw new CommandError('The bucket is not empty. Restore a backup into an empty bucket.')
    }
    await restoreAll(operator, folder, manifest)
    const faults = await runChecks(operator)
    if (faults > 0) {
      throw new CommandError(`Restored ${folder}, but found ${faults} ${faults === 1 ? 'fault' : 'faults'}.`)
    }
    operator.print(`Restored the backup of ${manifest.madeAt}. No faults found.`)
  },
}

/** Throws if the tables or the secret of a backup are damaged, or if a newer version made it. */
export async function checkBackup(folder: string, manifest: Manifest): Promise<void> {
  if (!isMigrationKnown(manifest.migration)) {
    throw new CommandError(`${folder} was made by version ${manifest.version}, which is newer than this one.`)
  }
  if (isTooOld(manifest.migration)) {
    throw new CommandError(
      `${folder} is older than version 0.1.0. Restore it with Alcove 0.1.0, make a new backup there, and restore that.`,
    )
  }
  for (const { name, sha256 } of manifest.tables) {
    if ((await digestFile(tablePath(folder, manifest, name)).catch(() => undefined)) !== sha256) {
      throw new CommandError(`${folder} is damaged: the table ${name} was changed.`)
    }
  }
  const secret = await readFile(join(folder, manifest.folder, SECRET), 'utf8').catch(() => '')
  if (digestSecret(secret) !== manifest.secretSha256) {
    throw new CommandError(`${folder} is damaged: the secret was changed.`)
  }
}

/** Throws if the target is not empty, and writes the secret there, which everything else needs. */
async function prepareRestore(config: Config, folder: string, manifest: Manifest): Promise<void> {
  const { dataDir } = config
  const found = await readdir(dataDir).catch(() => [])
  if (found.some((name) => name !== 'lost+found')) {
    throw new CommandError(`${dataDir} is not empty. Restore a backup into an empty data directory.`)
  }
  if (config.databaseUrl !== undefined) await assertEmptyDatabase(config)
  const secret = await readFile(join(folder, manifest.folder, SECRET), 'utf8')
  if (config.secret !== undefined && config.secret !== secret) {
    throw new CommandError(
      'ALCOVE_SECRET differs from the secret of the backup. Set it to that secret or leave it unset.',
    )
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  if (config.secret === undefined) await writeDurably(dataDir, SECRET, secret)
  if (manifest.hasSandbox) await copyFile(join(folder, manifest.folder, SANDBOX), join(dataDir, SANDBOX))
}

async function assertEmptyDatabase(config: Config): Promise<void> {
  const db = openDatabase(config)
  try {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    if (tables.length > 0) throw new CommandError('The database is not empty. Restore a backup into an empty database.')
  } finally {
    await db.destroy()
  }
}

/**
 * Restores the blobs, then the rows, into tables of the backup's version, and then migrates them. If it is interrupted, no rows
 * are left.
 */
async function restoreAll(operator: Operator, folder: string, manifest: Manifest): Promise<void> {
  const { services, config, print, tell } = operator
  await migrate(services.db, engineOf(config), { upTo: manifest.migration })
  const archive = new BlobArchive(folder)
  const replica = openReplica(config, services.blobs)
  try {
    const { blobs: items, bytes } = manifest
    const progress = new Progress({ what: 'Restored', unit: 'blobs', items, bytes }, operator)
    const named = readLines<NamedBlob>(tablePath(folder, manifest, 'blobs'))
    const lost = await restoreBlobs({ replica, archive, progress }, named)
    if (lost.length > 0) print(`Blobs that are missing or damaged in the backup: ${lost.length}.`)
  } finally {
    await replica.close()
    await archive.close()
  }
  const tables = manifest.tables.map(({ name }) => ({ name, path: tablePath(folder, manifest, name) }))
  const items = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  const progress = new Progress({ what: 'Restored', unit: 'rows', items }, operator)
  await services.db.transaction().execute((tx) => loadTables(tx, tables, progress))
  await migrate(services.db, engineOf(config), {
    onMigration: (name) => showPhase(operator, `Updating the tables: ${name}`),
  })
  tell('Restored. Checking everything now.')
}
