import { createHash, hkdfSync } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../../config.ts'
import { readOrCreateSecret } from '../../platform/crypto/secrets.ts'
import { CommandError } from '../command.ts'

/** Raise it when older versions can no longer read a backup. */
const FORMAT = 1

const MANIFEST = 'manifest.json'
const MARK = 'alcove-backup.json'

/** Files beside the tables and in a data directory: the secret, and the state of the payment sandbox. */
export const SECRET = 'secret'
export const SANDBOX = 'stripe-sandbox.sqlite'

const manifestShape = z.object({
  format: z.literal(FORMAT),
  madeAt: z.string(),
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The last migration of the tables. */
  migration: z.string(),
  /** The folder with the tables and the secret. */
  folder: z.string().regex(/^tables-[\w-]+$/),
  /** In the order in which they are restored. */
  tables: z.array(z.object({ name: z.string().regex(/^\w+$/), rows: z.int(), sha256: z.string() })),
  secretSha256: z.string(),
  hasSandbox: z.boolean(),
  blobs: z.int(),
  bytes: z.int(),
  /** Blobs that were already missing or damaged when the backup was made. */
  damaged: z.array(z.string()),
})

/** Describes a backup. It is written last: a folder without it contains no backup. */
export type Manifest = z.infer<typeof manifestShape>

export function createManifest(details: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...details }
}

/** Returns an id of this Alcove, derived from its secret without revealing it. A folder is for the backups of one Alcove. */
export function instanceOf(secret: string): string {
  return createHash('sha256')
    .update(Buffer.from(hkdfSync('sha256', secret, '', 'alcove backup', 32)))
    .digest('hex')
}

/** Prepares a folder for backups of this Alcove. Throws if it has other content. */
export async function claimFolder(folder: string, secret: string): Promise<void> {
  const instance = instanceOf(secret)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const mark = await readFile(join(folder, MARK), 'utf8').catch(() => undefined)
  if (mark === undefined) {
    if ((await readdir(folder)).some((name) => name !== 'lost+found')) {
      throw new CommandError(`${folder} is not empty and not a backup of Alcove. Choose another folder.`)
    }
    await writeDurably(folder, MARK, JSON.stringify({ product: 'alcove', instance }))
  } else if (!mark.includes(instance)) {
    throw new CommandError(`${folder} contains backups of another Alcove. Choose another folder.`)
  }
}

/** Returns the manifest of the last complete backup in a folder. */
export async function getManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CommandError(`${folder} contains no complete backup.`)
    throw error
  })
  const read = manifestShape.safeParse(parseJson(text))
  if (!read.success) throw new CommandError(`${folder} contains a backup that this version can't read.`)
  return read.data
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeDurably(folder, MANIFEST, JSON.stringify(manifest, undefined, 2))
}

export function tablePath(folder: string, manifest: Pick<Manifest, 'folder'>, table: string): string {
  return join(folder, manifest.folder, `${table}.ndjson.gz`)
}

/** Writes a file atomically and durably. */
export async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `${name}.new`)
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(text)
  await file.sync()
  await file.close()
  await rename(draft, join(folder, name))
  await syncFolder(folder)
}

export async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder, 'r')
  await directory.sync()
  await directory.close()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the secret in use, from the settings or the data directory. */
export async function readSecret(config: Config): Promise<string> {
  return config.secret ?? (await readOrCreateSecret(config.dataDir))
}

export function digestSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
