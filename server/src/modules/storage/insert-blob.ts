import { prepareAhead, type Value } from '../../platform/db/prepared-query.ts'
import type { BlobRow } from '../../platform/db/tables.ts'

/** The digests of a blob. Null if they are unknown. */
export type BlobDigests = Pick<BlobRow, 'sha256' | 'sha1' | 'md5'>

/** The digests of bytes of which at most one was computed, as of most uploads. */
export function onlySha256(sha256: string | null): BlobDigests {
  return { sha256, sha1: null, md5: null }
}

/** Adds the row of a blob whose bytes are on stable storage. */
export const insertBlob = prepareAhead((db, value: Value<Omit<BlobRow, 'damaged_at'>>) =>
  db.insertInto('blobs').values({
    key: value('key'),
    size: value('size'),
    created_at: value('created_at'),
    sha256: value('sha256'),
    sha1: value('sha1'),
    md5: value('md5'),
  }),
)
