import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/define-job.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { formatDate, formatTime, writeLetter } from '../../../platform/mail/write-letter.ts'
import { describeMailSettings, isMailed } from '../../notices/index.ts'
import { PROTECTED_FOR } from './protected-items.ts'

/** Sends the mail about a mass deletion to the last confirmed address, because another one may be a stranger's. */
export const massDeletionMailJob = defineJob(
  'mass deletion mail',
  z.object({ groupId: z.string() }),
  async ({ db, mailer, config }, { groupId }) => {
    const group = await db
      .selectFrom('deletion_groups')
      .innerJoin('users', 'users.id', 'deletion_groups.user_id')
      .select([
        'users.id as user_id',
        'app',
        'app_password_name',
        'started_at',
        'alarmed_at',
        'files',
        'confirmed_email',
      ])
      .where('deletion_groups.id', '=', groupId)
      .where('users.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!group || group.confirmed_email === null || group.alarmed_at === null) return
    if (!(await isMailed(db, group.user_id, 'mass_deletion'))) return
    const { publicUrl } = config
    const keptUntil = group.alarmed_at + PROTECTED_FOR
    await mailer.send(massDeletionMail({ ...group, to: group.confirmed_email, publicUrl, keptUntil }))
  },
)

interface MassDeletion {
  to: string
  publicUrl: string
  app: string
  app_password_name: string
  files: number
  started_at: number
  keptUntil: number
}

function massDeletionMail({ to, publicUrl, app, files, keptUntil, ...group }: MassDeletion): Mail {
  const count = files.toLocaleString('en-US')
  return writeLetter({
    kind: 'mass-deletion',
    to,
    subject: `An app deleted ${count} files - Alcove`,
    preview: `They are in the trash until ${formatDate(keptUntil)}.`,
    heading: `An app deleted ${count} files`,
    paragraphs: [
      `An app deleted more than a fifth of your files within ten minutes. They are in the trash until ${formatDate(keptUntil)}, and you can restore all of them at once.`,
    ],
    details: [
      ['App', app],
      ['App password', group.app_password_name],
      ['Files so far', count],
      ['Since', formatTime(group.started_at)],
    ],
    action: { text: 'See your trash', url: `${publicUrl}/trash` },
    closing: [
      `If you didn’t want this, restore the files and revoke the app password under “Apps and devices” at ${publicUrl}/account.`,
      describeMailSettings(publicUrl),
    ],
  })
}
