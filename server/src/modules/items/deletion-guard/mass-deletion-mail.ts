import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/define-job.ts'
import { type Brand, productBrand } from '../../../platform/mail/brand.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { formatDate, formatTime, writeLetter } from '../../../platform/mail/write-letter.ts'
import { describeMailSettings, isMailed } from '../../notices/index.ts'
import { readBrand } from '../../site/index.ts'
import { PROTECTED_FOR } from './protected-items.ts'

/** Sends the mail about a mass deletion to the last confirmed address, because another one may be a stranger's. */
export const massDeletionMailJob = defineJob(
  'mass deletion mail',
  z.object({ groupId: z.string() }),
  async (services, { groupId }) => {
    const { db, mailer, config } = services
    const group = await db
      .selectFrom('deletion_groups')
      .innerJoin('users', 'users.id', 'deletion_groups.user_id')
      .select([
        'users.id as user_id',
        'app',
        'app_password_name',
        'member_email',
        'started_at',
        'alarmed_at',
        'files',
        'confirmed_email',
      ])
      .where('deletion_groups.id', '=', groupId)
      .where('users.deleted_at', 'is', null)
      .where('users.suspended_at', 'is', null)
      .executeTakeFirst()
    if (!group || group.confirmed_email === null || group.alarmed_at === null) return
    if (!(await isMailed(db, group.user_id, 'mass_deletion'))) return
    const { publicUrl } = config
    const keptUntil = group.alarmed_at + PROTECTED_FOR
    const brand = await readBrand(services)
    await mailer.send(massDeletionMail({ ...group, to: group.confirmed_email, publicUrl, keptUntil, brand }))
  },
)

interface MassDeletion {
  brand?: Brand
  to: string
  publicUrl: string
  app: string
  app_password_name: string
  member_email: string | null
  files: number
  started_at: number
  keptUntil: number
}

function massDeletionMail({
  to,
  publicUrl,
  app,
  files,
  keptUntil,
  member_email,
  brand = productBrand,
  ...group
}: MassDeletion): Mail {
  const count = files.toLocaleString('en-US')
  const isMember = member_email !== null
  const title = `${isMember ? member_email : 'An app'} deleted ${count} files`
  const who = isMember ? 'A member of your shared folders' : 'An app'
  const stop = isMember
    ? 'change the member’s role or remove the member under “Share With People” in the menu of the folder.'
    : `revoke the app password under “Apps and devices” at ${publicUrl}/account.`
  return writeLetter(
    {
      kind: 'mass-deletion',
      to,
      subject: `${title} - ${brand.name}`,
      preview: `They are in the trash until ${formatDate(keptUntil)}.`,
      heading: title,
      paragraphs: [
        `${who} deleted more than a fifth of your files within ten minutes. They are in the trash until ${formatDate(keptUntil)}, and you can restore all of them at once.`,
      ],
      details: [
        ...(isMember
          ? ([['Member', member_email]] as const)
          : ([
              ['App', app],
              ['App password', group.app_password_name],
            ] as const)),
        ['Files so far', count],
        ['Since', formatTime(group.started_at)],
      ],
      action: { text: 'See your trash', url: `${publicUrl}/trash` },
      closing: [`If you didn’t want this, restore the files and ${stop}`, describeMailSettings(publicUrl)],
    },
    brand,
  )
}
