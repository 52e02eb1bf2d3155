import type { Services } from '../../context.ts'
import type { FoundDigests } from '../backups/copy-blobs.ts'

/**
 * Digests that were found while moving, in the target's table of blobs as long as it has no other rows: nothing is
 * written at the source.
 */
export function targetDigests({ db, clock }: Pick<Services, 'db' | 'clock'>): FoundDigests {
  return {
    find: async (key) => {
      const row = await db.selectFrom('blobs').select('sha256').where('key', '=', key).executeTakeFirst()
      return row?.sha256 ?? undefined
    },
    record: async ({ key, size }, sha256) => {
      await db
        .insertInto('blobs')
        .values({ key, size, sha256, created_at: clock.now() })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ sha256 }))
        .execute()
    },
  }
}
