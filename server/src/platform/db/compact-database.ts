import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { KEPT_FREE } from '../blobs/free-disk-space.ts'
import { type Database, engineOf, sqlitePath } from './database.ts'
import { INCREMENTAL, readPages } from './shrink-database.ts'
import { SqliteThread } from './sqlite-thread.ts'

interface Compacting {
  readonly db: Database
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>
}

/** More than that takes too long for a start that nobody expects to be slow. In bytes. */
const MAX_AT_START = 2 * 1024 ** 3

/**
 * Makes an SQLite file of an earlier version able to return free pages, which takes a vacuum. A large file is left to the
 * operator, and so is one for which the disk has no space.
 */
export async function makeShrinkable({ db, config, log }: Compacting & { log: FastifyBaseLogger }): Promise<void> {
  if (engineOf(config) !== 'sqlite') return
  const { mode } = await readPages(db)
  if (mode === INCREMENTAL) return
  const advice = 'Stop the server when it suits you, and run: alcove database compact'
  const { content, missing } = await estimateCompaction({ db, config })
  const tooMuch =
    content > MAX_AT_START ? 'it is large' : missing > 0 ? 'the disk has too little free space' : undefined
  if (tooMuch) {
    log.warn(
      `The database can't return free space to the disk yet, and is not converted now because ${tooMuch}. ${advice}`,
    )
    return
  }
  log.info({ bytes: content }, 'converting the database so that it can return free space, which may take a minute')
  try {
    await compactDatabase(config)
  } catch (error) {
    // The file is as before.
    log.warn({ err: error }, `The database could not be converted so that it can return free space. ${advice}`)
  }
}

/** Returns the bytes that are in use, and how many bytes the disk lacks for a vacuum: it writes them twice, the second time to the log. */
export async function estimateCompaction({ db, config }: Compacting): Promise<{ content: number; missing: number }> {
  const { count, free, size } = await readPages(db)
  const content = (count - free) * size
  const { bavail, bsize } = await statfs(config.dataDir)
  return { content, missing: 2 * content + KEPT_FREE - bavail * bsize }
}

/**
 * Rewrites the SQLite file without free pages, and lets it return free pages in the future. It is one transaction, so a crash leaves
 * the file as it was. Nothing can be written meanwhile.
 */
export async function compactDatabase({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  const thread = new SqliteThread(sqlitePath(dataDir))
  const quoted = `'${dataDir.replaceAll("'", "''")}'`
  try {
    // The system's folder for temporary files may be small, or in memory. SQLite deletes the file as soon as it has opened it.
    await thread.run(`pragma temp_store = file; pragma temp_store_directory = ${quoted}`)
    await thread.run('pragma auto_vacuum = incremental; vacuum')
    await thread.run('pragma wal_checkpoint(truncate)')
  } finally {
    // The folder is a setting of the whole process.
    await thread.run("pragma temp_store_directory = ''").finally(() => thread.close())
  }
}
