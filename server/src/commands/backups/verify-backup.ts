import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { recordRun } from '../../modules/admin/index.ts'
import { describeSize } from '../../modules/items/index.ts'
import { describeDifference, describeReadFailure, measureBytes } from '../../modules/storage/index.ts'
import { BlobArchive } from '../../platform/blobs/blob-replica.ts'
import { migrate, openDatabase } from '../../platform/db/database.ts'
import { type Command, CommandError, type Operator } from '../command.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import { Progress } from '../progress.ts'
import { checkCounters, findWrongSizes } from '../verify.ts'
import { actorOfRun, BY_SERVER } from './backup.ts'
import type { NamedBlob } from './copy-blobs.ts'
import { getManifest, type Manifest, tablePath } from './manifest.ts'
import { checkBackup } from './restore.ts'
import { loadTables, readLines } from './table-files.ts'

export const verifyBackup: Command = {
  name: 'verify-backup',
  parameters: ['DIR'],
  serverOptions: [BY_SERVER],
  summary: 'Restore the rows of a backup in a throw-away database, and compare all its bytes',
  details: [
    'It finds out whether the backup could be restored, and needs free space in the data folder for the rows, but not for',
    'the files. It does not try the server that you would restore to: its settings, disk and database.',
  ],
  async run(operator, directory = '') {
    const folder = resolve(directory)
    const { manifest } = await recordRun(
      operator.services,
      { kind: 'verification', folder, actor: actorOfRun(operator) },
      async (watch) => {
        const verified = await verifyAll({ ...operator, watch }, folder)
        const { blobs, bytes, madeAt } = verified
        return { manifest: verified, blobs, bytes, madeAt: Date.parse(madeAt) }
      },
    )
    operator.print(
      `The backup of ${manifest.madeAt} can be restored: ${manifest.blobs} blobs, ${describeSize(manifest.bytes)}. No faults found.`,
    )
  },
}

/** Returns the manifest of a backup without faults. */
async function verifyAll(operator: Operator, folder: string): Promise<Manifest> {
  const manifest = await getManifest(folder)
  await checkBackup(folder, manifest)
  operator.tell('The tables are as they were written. Restoring them.')
  const faults = (await restoreRows(operator, folder, manifest)) + (await compareBlobs(operator, folder, manifest))
  if (faults > 0) {
    throw new CommandError(
      `The backup in ${folder} has ${faults} ${faults === 1 ? 'fault' : 'faults'}. Make a new one.`,
    )
  }
  return manifest
}

/** The name of folders for throw-away databases, in the data folder. */
const PREFIX = 'verification-'

/** Restores the rows in a database of its own and checks them there. Returns the number of faults. */
async function restoreRows(operator: Operator, folder: string, manifest: Manifest): Promise<number> {
  const { config, print } = operator
  // A verification that was killed leaves its folder. No other one runs now.
  for (const name of await readdir(config.dataDir)) {
    if (name.startsWith(PREFIX)) await rm(join(config.dataDir, name), { recursive: true })
  }
  const dataDir = await mkdtemp(join(config.dataDir, PREFIX))
  try {
    const db = openDatabase({ databaseUrl: undefined, dataDir })
    try {
      await migrate(db, 'sqlite', { upTo: manifest.migration })
      const tables = manifest.tables.map(({ name }) => ({ name, path: tablePath(folder, manifest, name) }))
      const items = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
      const progress = new Progress({ what: 'Restored', unit: 'rows', items }, operator)
      await db.transaction().execute((tx) => loadTables(tx, tables, progress))
      await migrate(db, 'sqlite')
      const wrongSizes = await findWrongSizes(db)
      if (wrongSizes.length > 0) print(`Files whose size differs from that of their bytes: ${wrongSizes.length}.`)
      return wrongSizes.length + (await checkCounters(db, print))
    } finally {
      await db.destroy()
    }
  } finally {
    await rm(dataDir, { recursive: true })
  }
}

const CONCURRENCY = 4

/** Reads every blob of the backup and compares it with its row. Returns the number of faults. */
async function compareBlobs(operator: Operator, folder: string, manifest: Manifest): Promise<number> {
  const { blobs, bytes, damaged } = manifest
  const progress = new Progress({ what: 'Compared', unit: 'blobs', items: blobs, bytes }, operator)
  const wereDamaged = new Set(damaged)
  const archive = new BlobArchive(folder)
  let faults = 0
  try {
    const named = readLines<NamedBlob>(tablePath(folder, manifest, 'blobs'))
    const compared = mapConcurrently(named, CONCURRENCY, async (blob) => {
      // The backup says itself that it lacks these.
      const fault = wereDamaged.has(blob.key)
        ? undefined
        : await findFault(archive, blob, (size) => progress.pass(size))
      progress.add()
      return { key: blob.key, fault }
    })
    for await (const { key, fault } of compared) {
      if (fault === undefined) continue
      faults += 1
      operator.print(`Blob ${key}: ${fault}.`)
    }
  } finally {
    await archive.close()
  }
  return faults
}

async function findFault(
  archive: BlobArchive,
  blob: NamedBlob,
  onBytes: (size: number) => void,
): Promise<string | undefined> {
  try {
    return describeDifference(blob, await measureBytes(archive.openStream(blob.key), onBytes))
  } catch (error) {
    return describeReadFailure(error)
  }
}
