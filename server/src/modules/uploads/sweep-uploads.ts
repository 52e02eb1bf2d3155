import type { Services } from '../../context.ts'
import { discardUpload } from './discard-upload.ts'

/** Gives up what has waited too long for its missing chunks, and forgets what was completed long ago. Safe at any time. */
export async function sweepUploads(services: Services): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await db.deleteFrom('uploads').where('expires_at', '<', now).where('completed_at', 'is not', null).execute()
  const expired = await db.selectFrom('uploads').select('id').where('expires_at', '<', now).execute()
  for (const { id } of expired) {
    await db.transaction().execute(async (tx) => {
      const upload = await tx
        .updateTable('uploads')
        .set((eb) => ({ expires_at: eb.ref('expires_at') }))
        .where('id', '=', id)
        .where('expires_at', '<', now)
        .where('completed_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      if (upload) await discardUpload(services, tx, upload)
    })
  }
}
