import { calls } from '@alcove/contract/calls'
import { type MailSettings, type NoticeKind, noticeKinds } from '@alcove/contract/notices'
import type { Database } from '../../platform/db/database.ts'
import { endpoint } from '../../platform/http/api.ts'
import { assertRecentSignIn } from '../../platform/http/authenticate.ts'

/** A stranger at an open session could otherwise hide what they do next. */
const GUARDED: readonly NoticeKind[] = ['mass_deletion', 'new_sign_in', 'security_change']

export const getNoticeSettings = endpoint(calls.getNoticeSettings, async ({ db, user }) => ({
  mail: await readMailSettings(db, user.id),
}))

export const updateNoticeSettings = endpoint(calls.updateNoticeSettings, async ({ db, user, clock }, { mail }) => {
  if (GUARDED.some((kind) => mail[kind] === false)) assertRecentSignIn(user, clock.now())
  const rows = Object.entries(mail).map(([kind, isOn]) => ({ user_id: user.id, kind, is_mailed: Number(isOn) }))
  if (rows.length > 0) {
    await db
      .insertInto('notice_settings')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'kind']).doUpdateSet((eb) => ({ is_mailed: eb.ref('excluded.is_mailed') })),
      )
      .execute()
  }
  return { mail: await readMailSettings(db, user.id) }
})

/** Returns for each kind of notice whether a user also wants mails. */
export async function readMailSettings(db: Database, userId: string): Promise<MailSettings> {
  const rows = await db
    .selectFrom('notice_settings')
    .select('kind')
    .where('user_id', '=', userId)
    .where('is_mailed', '=', 0)
    .execute()
  const off = new Set(rows.map(({ kind }) => kind))
  return Object.fromEntries(noticeKinds.map((kind) => [kind, !off.has(kind)])) as MailSettings
}

/** Returns whether a user wants mails about a kind of notice, for modules that send their own. */
export async function isMailed(db: Database, userId: string, kind: NoticeKind): Promise<boolean> {
  return (await readMailSettings(db, userId))[kind]
}

/** Returns the sentence that ends every mail about notices. */
export function describeMailSettings(publicUrl: string): string {
  return `To stop these emails, turn them off under “Notices” at ${publicUrl}/account.`
}
