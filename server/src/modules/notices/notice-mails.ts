import { type NoticeContent, noticeKinds } from '@alcove/contract/notices'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { type Brand, productBrand } from '../../platform/mail/brand.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { writeLetter } from '../../platform/mail/write-letter.ts'
import { plansSetting, readBrand, readSetting } from '../site/index.ts'
import { type MailPart, mailParts } from './kinds.ts'
import { describeMailSettings, readMailSettings } from './notice-settings.ts'

/** How many users one round queues mails for. The next round takes the others. */
const USERS_PER_ROUND = 500
/** How many notices one mail describes. */
const MAX_DESCRIBED = 20

/** Queues mails to the users for whom one is due: one mail for all notices that wait. Safe to run at any time, and twice at once. */
export async function queueNoticeMails(services: Services, signal?: AbortSignal): Promise<void> {
  const users = await services.db
    .selectFrom('notices')
    .select('user_id')
    .where('mail_due_at', '<=', services.clock.now())
    .groupBy('user_id')
    .limit(USERS_PER_ROUND)
    .execute()
  for (const { user_id } of users) {
    if (signal?.aborted) return
    await queueMailTo(services, user_id)
  }
}

/**
 * Takes the waiting notices of a user and queues the mail about them, in one transaction, so that none is lost or mailed twice. The
 * first statement locks the rows: what is added or counted meanwhile waits for the next mail.
 */
async function queueMailTo({ db, jobs }: Services, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const rows = await tx
      .updateTable('notices')
      .set({ mail_due_at: 0 })
      .where('user_id', '=', userId)
      .where('mail_due_at', 'is not', null)
      .returning(['kind', 'data', 'mail_count', 'created_at'])
      .execute()
    if (rows.length === 0) return
    await tx
      .updateTable('notices')
      .set({ mail_due_at: null, mail_count: 0 })
      .where('user_id', '=', userId)
      .where('mail_due_at', '=', 0)
      .execute()
    const settings: Readonly<Record<string, boolean>> = await readMailSettings(tx, userId)
    const wanted = rows.filter(({ kind }) => settings[kind]).sort((one, other) => one.created_at - other.created_at)
    if (wanted.length === 0) return
    const notices = wanted
      .slice(-MAX_DESCRIBED)
      .map(({ kind, data, mail_count }) => ({ kind, data: JSON.parse(data), count: mail_count }))
    await jobs.enqueue(tx, noticeMailJob, { userId, notices, total: wanted.length } as NoticeMail)
  })
}

const noticeMail = z.object({
  userId: z.string(),
  // `notify` has checked the type of the data.
  notices: z.array(
    z.object({ kind: z.enum(noticeKinds), data: z.record(z.string(), z.unknown()), count: z.int() }),
  ) as unknown as z.ZodType<(NoticeContent & { count: number })[]>,
  total: z.int(),
})
type NoticeMail = z.infer<typeof noticeMail>

/** Sends a mail about notices to the last confirmed address, because another one may be a stranger's. */
export const noticeMailJob = defineJob('notice mail', noticeMail, async (services, job) => {
  const { db, mailer, config } = services
  const user = await db
    .selectFrom('users')
    .select('confirmed_email')
    .where('id', '=', job.userId)
    .where('deleted_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst()
  const brand = await readBrand(services)
  const { enabled } = await readSetting(services, plansSetting)
  const parts = mailParts(job.notices, { siteName: brand.name, canBuyMore: enabled })
  if (!user || user.confirmed_email === null || parts.length === 0) return
  await mailer.send(
    noticesMail({ to: user.confirmed_email, publicUrl: config.publicUrl, parts, total: job.total, brand }),
  )
})

interface Noticed {
  brand?: Brand
  to: string
  publicUrl: string
  parts: readonly MailPart[]
  /** May be more than the parts. */
  total: number
}

export function noticesMail({ to, publicUrl, parts, total, brand = productBrand }: Noticed): Mail {
  const [first] = parts
  const isOne = total === 1 && first !== undefined
  const others = total - parts.length
  return writeLetter(
    {
      kind: 'notices',
      to,
      subject: isOne ? first.subject : `${total} notices from ${brand.name}`,
      preview: first?.text ?? '',
      heading: isOne ? first.subject : `${total} notices`,
      paragraphs: [
        ...parts.map(({ text }) => text),
        ...(others > 0 ? [`There ${others === 1 ? 'is one more notice' : `are ${others} more notices`}.`] : []),
      ],
      action: { text: `Open ${brand.name}`, url: `${publicUrl}/profile` },
      closing: [describeMailSettings(publicUrl)],
    },
    brand,
  )
}
