import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BlobArchive } from '../../platform/blobs/blob-archive.ts'
import { engineOf } from '../../platform/db/database.ts'
import { textList } from '../../platform/db/text-list.ts'
import { CommandError, type Operator } from '../command.ts'
import { Progress } from '../progress.ts'
import { version } from '../version.ts'
import { type Copied, copyBlobs, type NamedBlob } from './copy-blobs.ts'
import { dumpTables, NAMED_BLOBS } from './dump-tables.ts'
import { readLines, writeLines } from './lines.ts'
import {
  createManifest,
  type Manifest,
  SANDBOX,
  SECRET,
  syncFolder,
  tablePath,
  writeDurably,
  writeManifest,
} from './manifest.ts'
import { digestSecret } from './secret.ts'

interface Order {
  folder: string
  secret: string
  isHeld(): boolean
}

interface Made {
  manifest: Manifest
  copied: Copied
}

/**
 * The rows as they are now, then the blobs that they name, then the manifest, which makes a backup of them; then what
 * the last backup had besides goes. Until the manifest is there the last backup stays what it was.
 */
export async function makeBackup(operator: Operator, { folder, secret, isHeld }: Order): Promise<Made> {
  const { services, config, print, tell } = operator
  const name = `tables-${randomUUID()}`
  const own = join(folder, name)
  await mkdir(own, { mode: 0o700 })
  const { tables, migration, bytes } = await dumpTables(operator, own)
  const blobs = tables.find((table) => table.name === 'blobs')?.rows ?? 0
  tell(`The tables are saved. ${blobs} blobs are looked at now.`)

  const copied: Copied = { blobs: 0, bytes: 0, damaged: [] }
  const archive = new BlobArchive(folder)
  try {
    const progress = new Progress('Looked at', { blobs, bytes }, tell)
    const named = readLines<NamedBlob>(tablePath(folder, { folder: name }, NAMED_BLOBS))
    const rows = copyBlobs({ services, archive, progress, print }, named, copied)
    const written = await writeLines(tablePath(folder, { folder: name }, 'blobs'), rows)
    await rm(tablePath(folder, { folder: name }, NAMED_BLOBS))
    const hasSandbox = saveSandbox(config.dataDir, own)
    await writeDurably(own, SECRET, secret)
    await syncFolder(folder)
    if (!isHeld())
      throw new CommandError('Bytes were removed while the backup was made, since it stood still for long.')

    const manifest = createManifest({
      madeAt: new Date(services.clock.now()).toISOString(),
      version,
      engine: engineOf(config),
      migration,
      folder: name,
      tables: tables.map((table) => (table.name === 'blobs' ? { name: table.name, ...written } : table)),
      secretSha256: digestSecret(secret),
      hasSandbox,
      blobs,
      bytes,
      damaged: copied.damaged,
    })
    await writeManifest(folder, manifest)
    await removeOlder(operator, { folder, name, archive })
    return { manifest, copied }
  } finally {
    await archive.close()
  }
}

/** The state of the test payments, where there are any. */
function saveSandbox(dataDir: string, own: string): boolean {
  const path = join(dataDir, SANDBOX)
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    database.prepare('vacuum into ?').run(join(own, SANDBOX))
  } finally {
    database.close()
  }
  return true
}

/** While removals are held, every blob of the snapshot still has its row, so the database as it is now says which to keep. */
async function removeOlder(
  { services: { db } }: Operator,
  { folder, name, archive }: { folder: string; name: string; archive: BlobArchive },
): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (entry.startsWith('tables-') && entry !== name) await rm(join(folder, entry), { recursive: true })
  }
  await archive.prune(async (keys) => {
    const used = await db.selectFrom('blobs').select('key').where('key', 'in', textList(db, keys)).execute()
    return new Set(used.map(({ key }) => key))
  })
}
