import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Services } from '../../context.ts'
import { BlobArchive } from '../../platform/blobs/blob-archive.ts'
import { engineOf } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/text-list.ts'
import { recordDigest } from '../checks/record-digest.ts'
import { CommandError, type Operator } from '../command.ts'
import { version } from '../version.ts'
import type { Copied, FoundDigests } from './copy-blobs.ts'
import { createManifest, type Manifest, SECRET, syncFolder, writeDurably, writeManifest } from './manifest.ts'
import { saveEverything } from './save-everything.ts'
import { saveSandbox } from './save-sandbox.ts'
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
  const { services, config } = operator
  const name = `tables-${randomUUID()}`
  const own = join(folder, name)
  await mkdir(own, { mode: 0o700 })
  const replica = new BlobArchive(folder)
  try {
    const { tables, migration, blobs, bytes, copied } = await saveEverything(operator, {
      folder: own,
      replica,
      digests: ownDigests(services),
    })
    const hasSandbox = await saveSandbox(config.dataDir, own)
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
      tables,
      secretSha256: digestSecret(secret),
      hasSandbox,
      blobs,
      bytes,
      damaged: copied.damaged,
    })
    await writeManifest(folder, manifest)
    await removeOlder(operator, { folder, name, archive: replica })
    return { manifest, copied }
  } finally {
    await replica.close()
  }
}

/** In the rows themselves, where the next backup finds them. */
function ownDigests({ db }: Pick<Services, 'db'>): FoundDigests {
  return { find: async () => undefined, record: ({ key }, sha256) => recordDigest(db, key, sha256) }
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
    const used = await db
      .selectFrom('blobs')
      .select('key')
      .where(isAmong(db, 'key', keys))
      .execute()
    return new Set(used.map(({ key }) => key))
  })
}
