import type { SessionUser, UserContext } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockMembership } from '../../../platform/http/members.ts'
import { changeQuota } from '../../items/index.ts'
import { assertFewOpen } from './claim-chunk.ts'
import { arriving, idOf, SEQUENCE_TTL } from './sequence-rows.ts'

/**
 * Makes an unfinished upload of a user one to a shared folder, with all chunks that have arrived: not every client says at once where
 * the file will be. From then on its bytes count for the owner of the folder, as whom the member makes the request. Does nothing if
 * there is no such upload.
 */
export async function adoptSequence(ctx: UserContext, from: SessionUser, name: string): Promise<void> {
  const id = idOf(from, name)
  const open = ctx.db.selectFrom('uploads').select('id').where('id', '=', id).where('completed_at', 'is', null)
  if (!(await open.executeTakeFirst())) return
  await arriving.take(id, () => ctx.db.transaction().execute((tx) => adopt(ctx, tx, from, name)))
}

async function adopt({ user, clock }: UserContext, tx: Tx, from: SessionUser, name: string): Promise<void> {
  if (user.member) await lockMembership(tx, user.member)
  await assertFewOpen(tx, user)
  const [before, id] = [idOf(from, name), idOf(user, name)]
  const upload = await tx
    .updateTable('uploads')
    .set({ expires_at: clock.now() + SEQUENCE_TTL })
    .where('id', '=', before)
    .where('owner_id', '=', from.id)
    .where('member_id', 'is', null)
    .where('completed_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!upload) return
  // One with the same name was finished there before.
  await tx.deleteFrom('uploads').where('id', '=', id).where('completed_at', 'is not', null).execute()
  const adopted = { id, owner_id: user.id, folder_id: user.driveRootId, member_id: user.member?.id ?? null }
  await tx
    .insertInto('uploads')
    .values({ ...upload, ...adopted })
    .execute()
  await tx.updateTable('upload_chunks').set({ upload_id: id }).where('upload_id', '=', before).execute()
  await tx.deleteFrom('uploads').where('id', '=', before).execute()
  // Users are always locked in the same order.
  const changes = [
    { userId: from.id, reserved: -upload.reserved_bytes },
    { userId: user.id, reserved: upload.reserved_bytes },
  ].sort((one, other) => (one.userId < other.userId ? -1 : 1))
  for (const { userId, reserved } of changes) await changeQuota(tx, userId, { reserved })
}
