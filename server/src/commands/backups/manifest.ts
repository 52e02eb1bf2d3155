import { createHash, hkdfSync } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { CommandError } from '../command.ts'

/** Raised when a backup of today could not be read by yesterday's program. */
const FORMAT = 1

const MANIFEST = 'manifest.json'
const MARK = 'alcove-backup.json'

/** What lies beside the tables, and in a data directory: the secret, and the state of the test payments. */
export const SECRET = 'secret'
export const SANDBOX = 'stripe-sandbox.sqlite'

const manifestShape = z.object({
  format: z.literal(FORMAT),
  madeAt: z.string(),
  version: z.string(),
  engine: z.enum(['sqlite', 'postgres']),
  /** The last migration that the tables have been through. */
  migration: z.string(),
  /** The folder with the tables and the secret. */
  folder: z.string().regex(/^tables-[\w-]+$/),
  /** In the order in which they are put back. */
  tables: z.array(z.object({ name: z.string().regex(/^\w+$/), rows: z.int(), sha256: z.string() })),
  secretSha256: z.string(),
  hasSandbox: z.boolean(),
  blobs: z.int(),
  bytes: z.int(),
  /** Blobs that were missing or damaged already when the backup was made. */
  damaged: z.array(z.string()),
})

/** What a backup is. It is written last: a folder without it holds no backup. */
export type Manifest = z.infer<typeof manifestShape>

export function createManifest(details: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...details }
}

/** A folder is for the backups of one Alcove: told by its secret, which the mark does not give away. */
export function instanceOf(secret: string): string {
  return createHash('sha256')
    .update(Buffer.from(hkdfSync('sha256', secret, '', 'alcove backup', 32)))
    .digest('hex')
}

/** Makes a folder one for backups of this Alcove. Refuses one that is anything else and not empty. */
export async function claimFolder(folder: string, secret: string): Promise<void> {
  const instance = instanceOf(secret)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const mark = await readFile(join(folder, MARK), 'utf8').catch(() => undefined)
  if (mark === undefined) {
    if ((await readdir(folder)).some((name) => name !== 'lost+found')) {
      throw new CommandError(`${folder} is not empty, and no backup of Alcove. Choose another folder.`)
    }
    await writeDurably(folder, MARK, JSON.stringify({ product: 'alcove', instance }))
  } else if (!mark.includes(instance)) {
    throw new CommandError(`${folder} is for the backups of another Alcove. Choose another folder.`)
  }
}

/** The manifest of the last whole backup in a folder. */
export async function getManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CommandError(`${folder} holds no backup, or one that was broken off.`)
    throw error
  })
  const read = manifestShape.safeParse(parseJson(text))
  if (!read.success) throw new CommandError(`${folder} holds a backup that this version cannot read.`)
  return read.data
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeDurably(folder, MANIFEST, JSON.stringify(manifest, undefined, 2))
}

export function tablePath(folder: string, manifest: Pick<Manifest, 'folder'>, table: string): string {
  return join(folder, manifest.folder, `${table}.ndjson.gz`)
}

/** Writes a file that is there as a whole or not at all, and stays. */
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
