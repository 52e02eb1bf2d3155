import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Services } from '../../context.ts'
import { type RunResult, recordRun } from '../../modules/admin/index.ts'
import { type AuditActor, commandLine } from '../../modules/audit/index.ts'
import { describeSize } from '../../modules/items/index.ts'
import { findRemovalPause, pauseRemovals } from '../../modules/storage/index.ts'
import { BlobArchive } from '../../platform/blobs/blob-replica.ts'
import { engineOf } from '../../platform/db/database.ts'
import { isAmong } from '../../platform/db/portable-sql.ts'
import { version } from '../../platform/version.ts'
import { recordDigest } from '../check-blobs.ts'
import { type Command, CommandError, type Operator } from '../command.ts'
import { showPhase } from '../progress.ts'
import type { Copied, FoundDigests } from './copy-blobs.ts'
import {
  claimFolder,
  createManifest,
  digestSecret,
  type Manifest,
  readSecret,
  SECRET,
  syncFolder,
  writeDurably,
  writeManifest,
} from './manifest.ts'
import { saveEverything, saveSandbox } from './save-everything.ts'

/** The server gives this option, because it has noted already which administrator asks for the run. */
export const BY_SERVER = 'by-server'

/** Returns who is noted in the audit log as having started a run. */
export function actorOfRun({ options }: Operator): AuditActor | undefined {
  return options[BY_SERVER] === undefined ? commandLine() : undefined
}

export const backup: Command = {
  name: 'backup',
  parameters: ['DIR'],
  serverOptions: [BY_SERVER],
  summary: 'Back up everything to a folder; repeat it to copy only what is new',
  async run(operator, directory = '') {
    const { services, print } = operator
    const folder = resolve(directory)
    const { manifest, copied } = await recordRun(
      services,
      { kind: 'backup', folder, actor: actorOfRun(operator) },
      async (watch) => {
        const made = await backUp({ ...operator, watch }, folder)
        return { ...made, ...describeMade(made) }
      },
    )
    print(
      `Backed up to ${folder}: ${manifest.blobs} blobs, ${describeSize(manifest.bytes)}; copied ${copied.blobs}, ${describeSize(copied.bytes)}.`,
    )
    const { problem } = describeMade({ manifest, copied })
    if (problem !== undefined) throw new CommandError(problem)
  },
}

interface Made {
  manifest: Manifest
  copied: Copied
}

function describeMade({ manifest: { blobs, bytes, damaged }, copied }: Made): RunResult {
  const problem = `${damaged.length} missing or damaged ${damaged.length === 1 ? 'blob is' : 'blobs are'} not in the backup.`
  return { blobs, bytes, copiedBytes: copied.bytes, ...(damaged.length > 0 && { problem }) }
}

async function backUp(operator: Operator, folder: string): Promise<Made> {
  const { services, config } = operator
  const secret = await readSecret(config)
  if (await findRemovalPause(services.db, services.clock.now()).executeTakeFirst()) {
    throw new CommandError('Another backup is running, or was interrupted less than five minutes ago.')
  }
  await claimFolder(folder, secret)
  return pauseRemovals(services, (isHeld) => makeBackup(operator, { folder, secret, isHeld }))
}

interface Order {
  folder: string
  secret: string
  isHeld(): boolean
}

/**
 * Makes a backup: the current rows, then the blobs that they name, then the manifest, which completes it. Then everything that
 * only the previous backup needed is removed. Until the manifest is written, the previous backup is unchanged.
 */
async function makeBackup(operator: Operator, { folder, secret, isHeld }: Order): Promise<Made> {
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
      throw new CommandError(
        'The backup was suspended for too long, and the server removed bytes meanwhile. Run it again.',
      )

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
    showPhase(operator, 'Removing what only the previous backup needed')
    await removeOlder(operator, { folder, name, archive: replica })
    return { manifest, copied }
  } finally {
    await replica.close()
  }
}

/** Stores digests in the rows, where the next backup finds them. */
function ownDigests({ db }: Pick<Services, 'db'>): FoundDigests {
  return { find: async () => undefined, record: ({ key }, sha256) => recordDigest(db, key, sha256) }
}

/** While removals are paused, every blob of the snapshot still has its row, so the current database says which to keep. */
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
