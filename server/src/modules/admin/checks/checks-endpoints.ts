import { calls } from '@alcove/contract/calls'
import type { Services, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import type { Brand } from '../../../platform/mail/brand.ts'
import { writeLetter } from '../../../platform/mail/write-letter.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'
import { readBrand } from '../../site/index.ts'
import { codeOf } from './error-code.ts'
import { type Results, readChecks, runChecksNow } from './kept-results.ts'
import { describeMailFailure } from './service-checks.ts'

function present({ clock }: Services, { checks, checkedAt }: Results) {
  return { checks, checkedAt: formatTime(checkedAt), serverTime: formatTime(clock.now()) }
}

const getChecks = endpoint(calls.getChecks, async (ctx) => present(ctx, await readChecks(ctx)))
const runChecks = endpoint(calls.runChecks, async (ctx) => present(ctx, await runChecksNow(ctx)))

const sendTestMail = endpoint(calls.sendTestMail, async (ctx) => {
  const { mailer, user, config } = ctx
  await mailer.send(testMail(user.email, config.publicUrl, await readBrand(ctx))).catch((error: unknown) => {
    const { message, fix } = describeMailFailure(codeOf(error))
    throw new AppError('unavailable', `${message} ${fix}`)
  })
  await noteTestMail(ctx)
  const isSent = mailer.verify !== undefined
  return {
    message: isSent
      ? `The mail server has accepted a mail to ${user.email}. If it doesn’t arrive, look into the spam folder.`
      : 'There is no mail server, so the mail is in the outbox.',
  }
})

function noteTestMail(ctx: UserContext): Promise<void> {
  return ctx.db
    .transaction()
    .execute((tx) => noteAudit(ctx, tx, actorOf(ctx), { action: 'mail.test', target: ctx.user.email }))
}

function testMail(to: string, publicUrl: string, brand: Brand) {
  const letter = {
    kind: 'test',
    to,
    subject: `Test mail from ${brand.name}`,
    preview: 'Mails of this server arrive.',
    heading: 'Mails of this server arrive',
    paragraphs: [`An administrator of ${publicUrl} has sent this mail to see whether mails arrive.`],
    closing: ['You don’t need to do anything.'],
  }
  return writeLetter(letter, brand)
}

export const checkEndpoints = [getChecks, runChecks, sendTestMail]
