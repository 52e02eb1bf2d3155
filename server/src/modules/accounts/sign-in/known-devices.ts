import type { Context } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { clientNetwork } from '../../../platform/http/client-address.ts'
import { notify } from '../../notices/index.ts'
import { queueMail } from '../mails.ts'

/** After this time without a sign-in, a device counts as new. */
export const KNOWN_DEVICE_TTL = 365 * 24 * 3_600_000

/**
 * Remembers the device of a sign-in and gives a notice and queues a mail if it is new. Returns whether it did. The first device of
 * an account is never new. The user's row must be locked, so that of two concurrent sign-ins only one is the first.
 */
export async function noteDevice(ctx: Context, tx: Tx, userId: string, device: string): Promise<boolean> {
  const network = clientNetwork(ctx.ip)
  const at = ctx.clock.now()
  const seen = await tx
    .updateTable('known_devices')
    .set({ seen_at: at })
    .where('user_id', '=', userId)
    .where('device', '=', device)
    .where('network', '=', network)
    .executeTakeFirst()
  if (seen.numUpdatedRows > 0n) return false
  const other = await tx.selectFrom('known_devices').select('device').where('user_id', '=', userId).limit(1).execute()
  await tx.insertInto('known_devices').values({ user_id: userId, device, network, seen_at: at }).execute()
  if (other.length === 0) return false
  await notify(ctx, tx, userId, { kind: 'new_sign_in', data: { device, ip: ctx.ip } })
  await queueMail(ctx, tx, 'new sign-in mail', userId, { device, ip: ctx.ip, at })
  return true
}

/**
 * Returns whether the account has signed in from the caller's network before. The browser isn't compared, because
 * anyone can claim to use the same one.
 */
export async function isKnownNetwork({ db, ip }: Context, email: string): Promise<boolean> {
  const seen = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select('known_devices.user_id')
    .where('users.email', '=', email)
    .where('known_devices.network', '=', clientNetwork(ip))
    .limit(1)
    .executeTakeFirst()
  return seen !== undefined
}
