import type { Database } from '../db/database.ts'

/** How many keys are looked through at once. */
const PAGE = 500

/**
 * Which blobs an object store has something unfinished of, and the multipart upload that the parts of each belong to: in
 * the database, so that all servers send parts of a blob to the same upload.
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

  /** Notes that something of a blob is about to be stored. */
  async note(key: string): Promise<void> {
    await this.#db
      .insertInto('unsealed_blobs')
      .values({ key, upload_id: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  /**
   * Proposes an upload in place of another, or of none, and answers the one that stands: where two servers do so at once,
   * the first.
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

  /** The keys of all of them below a key, in their order, a page at a time. */
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
