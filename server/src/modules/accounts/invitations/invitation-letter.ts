import { z } from 'zod'
import type { Services } from '../../../context.ts'
import { defineJob } from '../../../platform/jobs/define-job.ts'
import type { Brand } from '../../../platform/mail/brand.ts'
import type { Mail } from '../../../platform/mail/mailer.ts'
import { formatTime, writeLetter } from '../../../platform/mail/write-letter.ts'
import { readBrand } from '../../site/index.ts'
import { mayReceive } from '../mails.ts'
import { invitationUrl } from './invitation-link.ts'

/** Sends the mail with the link of an invitation, unless it was used or taken back meanwhile. */
export const invitationToServerJob = defineJob(
  'invitation to server mail',
  z.object({ invitationId: z.string() }),
  async (services, { invitationId }) => {
    const row = await services.db
      .selectFrom('invitations')
      .select(['id', 'email', 'expires_at'])
      .where('id', '=', invitationId)
      .executeTakeFirst()
    if (!row) return
    const mail = invitationToServerMail({
      to: row.email,
      url: invitationUrl(services, row.id),
      publicUrl: services.config.publicUrl,
      expiresAt: row.expires_at,
      brand: await readBrand(services),
    })
    if (await mayReceive(services, mail)) await services.mailer.send(mail)
  },
)

/** Sends queued invitations after the change. A response never waits for a mail server. */
export async function sendInvitations({ mailer, jobs }: Services): Promise<void> {
  const sent = jobs.runDueOf([invitationToServerJob])
  if (mailer.isImmediate) await sent
}

interface Invitation {
  to: string
  url: string
  publicUrl: string
  expiresAt: number
  brand: Brand
}

export function invitationToServerMail({ to, url, publicUrl, expiresAt, brand }: Invitation): Mail {
  return writeLetter(
    {
      kind: 'invitation-to-server',
      to,
      subject: `Your invitation to ${brand.name}`,
      preview: 'Choose a password to create your account.',
      heading: `You are invited to ${brand.name}`,
      paragraphs: [
        `The administrator of ${publicUrl} invites you. It is a private place for your files. Choose a password, and your account is ready.`,
      ],
      action: { text: 'Create your account', url },
      closing: [
        `The link works once, until ${formatTime(expiresAt)}. If you don’t know this server, you can ignore this email.`,
      ],
    },
    brand,
  )
}
