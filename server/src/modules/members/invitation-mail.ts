import type { Role } from '@alcove/contract/roles'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { type Brand, productBrand } from '../../platform/mail/brand.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { writeLetter } from '../../platform/mail/write-letter.ts'
import { findWayToRegister, mayReceive } from '../accounts/index.ts'
import { isMailed } from '../notices/index.ts'
import { readBrand } from '../site/index.ts'

/** Sends the mail about an invitation, unless it was accepted or taken back meanwhile. */
export const invitationMailJob = defineJob(
  'invitation mail',
  z.object({ memberId: z.string() }),
  async (services, { memberId }) => {
    const { db, mailer, config } = services
    const found = await db
      .selectFrom('members')
      .innerJoin('items', 'items.id', 'members.folder_id')
      .innerJoin('users', 'users.id', 'members.owner_id')
      .leftJoin('users as inviter', 'inviter.id', 'members.invited_by')
      .select(['members.email as to', 'members.role', 'items.name'])
      .select(['inviter.email', 'inviter.display_name', 'users.email as owner'])
      .leftJoin('users as recipient', (join) =>
        join
          .on((eb) => {
            const byEmail = eb
              .selectFrom('users as found')
              .select('found.id')
              .whereRef('found.email', '=', 'members.email')
            return eb('recipient.id', '=', eb.fn.coalesce('members.account_id', byEmail))
          })
          .on('recipient.activated_at', 'is not', null),
      )
      .select('recipient.id as recipient_id')
      .where('members.id', '=', memberId)
      .where('accepted_at', 'is', null)
      .where('items.trash_id', 'is', null)
      .where('users.deleted_at', 'is', null)
      .where('users.suspended_at', 'is', null)
      .executeTakeFirst()
    if (!found) return
    if (found.recipient_id !== null && !(await isMailed(db, found.recipient_id, 'share_offered'))) return
    const brand = await readBrand(services)
    const mail = invitationMail({
      to: found.to,
      publicUrl: config.publicUrl,
      brand,
      inviter: { email: found.email ?? found.owner, displayName: found.display_name },
      folderName: found.name,
      role: found.role,
      wayIn: found.recipient_id === null ? await findWayToRegister(services, found.to) : 'account',
      supportEmail: brand.supportEmail,
    })
    if (await mayReceive(services, mail)) await mailer.send(mail)
  },
)

/** Sends queued invitations after the change. A response never waits for a mail server. */
export async function sendInvitationMails({ mailer, jobs }: Services): Promise<void> {
  const sent = jobs.runDueOf([invitationMailJob])
  if (mailer.isImmediate) await sent
}

const abilities: Readonly<Record<Role, string>> = {
  viewer: 'You can view and download everything in it.',
  contributor: 'You can view and download everything in it, and add files and folders.',
  editor: 'You can view, add, change and delete files and folders in it.',
  manager: 'You can view, add, change and delete files and folders in it, and invite other people.',
}

interface Invitation {
  brand?: Brand
  to: string
  publicUrl: string
  inviter: { email: string; displayName: string | null }
  folderName: string
  role: Role
  /** Whether the person has an account, or how they can get one. */
  wayIn: 'account' | Awaited<ReturnType<typeof findWayToRegister>>
  supportEmail: string
}

/** Someone without an account signs up first. The invitation is there once the address is confirmed. */
export function invitationMail(invitation: Invitation): Mail {
  const { to, publicUrl, inviter, folderName, role, wayIn, brand = productBrand } = invitation
  const { email, displayName } = inviter
  const name = displayName ?? email
  return writeLetter(
    {
      kind: 'invitation',
      to,
      subject: `${name} shares a folder with you - ${brand.name}`,
      preview: `“${folderName}”`,
      heading: `${name} shares a folder with you`,
      paragraphs: [`You are invited to the folder “${folderName}”. ${abilities[role]}`, ...explainWayIn(invitation)],
      details: [
        ['Folder', folderName],
        ['From', displayName === null ? email : `${displayName} (${email})`],
      ],
      ...(wayIn !== 'none' && { action: actions(publicUrl)[wayIn] }),
      closing: ['If you don’t know this person, you can ignore this email. Nothing is shared until you accept.'],
    },
    brand,
  )
}

function explainWayIn({ wayIn, publicUrl, supportEmail }: Invitation): string[] {
  if (wayIn === 'account') return []
  if (wayIn === 'none') {
    return [
      `To open it, you need an account at ${publicUrl}, which only the administrator can give you. Write to ${supportEmail}, or ask the person who shares the folder.`,
    ]
  }
  return [`To open it, create an account at ${publicUrl} with this email address and confirm it.`]
}

const actions = (publicUrl: string) => ({
  account: { text: 'See the invitation', url: `${publicUrl}/shared-with-me` },
  free: { text: 'Create an account', url: `${publicUrl}/register` },
  // Otherwise the page says that registration is closed.
  'as member': { text: 'Create an account', url: `${publicUrl}/register?folder` },
})
