import type { Database } from '../db/database.ts'
import { prepareQuery, type Value } from '../db/prepared-query.ts'

/** The value of `Repr-Digest` (RFC 9530) for a blob, by which a reader can check what has come; undefined while unknown. */
export async function findReprDigest(db: Database, blobKey: string): Promise<string | undefined> {
  const [blob] = (await findDigest(db, { key: blobKey })).rows
  return blob?.sha256 ? `sha-256=:${Buffer.from(blob.sha256, 'hex').toString('base64')}:` : undefined
}

const findDigest = prepareQuery((db, value: Value<{ key: string }>) =>
  db.selectFrom('blobs').select('sha256').where('key', '=', value('key')),
)
