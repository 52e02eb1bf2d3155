import type { Database } from '../db/database.ts'

/** The prefixes of our objects in the bucket. */
export const BLOBS = 'blobs/'
export const CHUNKS = 'chunks/'

export function blobName(key: string): string {
  return BLOBS + key
}

/** Returns the prefix of those chunks of a blob that are not parts of its upload. */
export function chunksOf(key: string): string {
  return `${CHUNKS}${key}/`
}

export function chunkName(key: string, index: number): string {
  return chunksOf(key) + index
}

/** Returns whether an object is ours. Others in the bucket are left alone. */
export function isOurs(name: string): boolean {
  return /^(blobs\/[0-9a-f-]{36}|chunks\/[0-9a-f-]{36}\/\d+)$/.test(name)
}

/** Returns the key of the blob that an object is, or is a chunk of. */
export function keyOfName(name: string): string {
  return name.split('/')[1] as string
}

/** Keys that are read per query. */
const PAGE = 500

/**
 * Records which blobs are incomplete in the object store, and the multipart upload of each. It is in the database, so that all servers
 * send parts of a blob to the same upload.
 */
export class IncompleteBlobs {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async find(key: string): Promise<{ uploadId: string | undefined } | undefined> {
    const row = await this.#db
      .selectFrom('unsealed_blobs')
      .select('upload_id')
      .where('key', '=', key)
      .executeTakeFirst()
    return row && { uploadId: row.upload_id ?? undefined }
  }

  async findAll(keys: readonly string[]): Promise<{ key: string; uploadId: string | undefined }[]> {
    const rows = await this.#db.selectFrom('unsealed_blobs').selectAll().where('key', 'in', keys).execute()
    return rows.map(({ key, upload_id }) => ({ key, uploadId: upload_id ?? undefined }))
  }

  /** Records that bytes of a blob are about to be stored. */
  async note(key: string): Promise<void> {
    await this.#db
      .insertInto('unsealed_blobs')
      .values({ key, upload_id: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /**
   * Proposes an upload in place of `instead`, or of none, and returns the one that is in effect: if two servers propose at once, the
   * first.
   */
  async agreeOnUpload(key: string, proposed: string, instead: string | undefined): Promise<string> {
    await this.note(key)
    await this.#db
      .updateTable('unsealed_blobs')
      .set({ upload_id: proposed })
      .where('key', '=', key)
      .where((eb) =>
        instead === undefined
          ? eb('upload_id', 'is', null)
          : eb.or([eb('upload_id', '=', instead), eb('upload_id', 'is', null)]),
      )
      .execute()
    return (await this.find(key))?.uploadId ?? proposed
  }

  async forget(keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.#db.deleteFrom('unsealed_blobs').where('key', 'in', keys).execute()
  }

  /** Lists all keys below a key in order, a page at a time. */
  async *listKeysBelow(end: string): AsyncGenerator<string[]> {
    for (let last = ''; ; ) {
      const rows = await this.#db
        .selectFrom('unsealed_blobs')
        .select('key')
        .where('key', '>', last)
        .where('key', '<', end)
        .orderBy('key')
        .limit(PAGE)
        .execute()
      if (rows.length === 0) return
      yield rows.map((row) => row.key)
      last = rows.at(-1)?.key as string
    }
  }
}
