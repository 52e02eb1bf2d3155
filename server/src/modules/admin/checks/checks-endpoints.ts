import type { CheckResult } from '@alcove/contract/admin-checks'
import { calls } from '@alcove/contract/calls'
import type { Services, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import type { Brand } from '../../../platform/mail/brand.ts'
import { writeLetter } from '../../../platform/mail/write-letter.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'
import { readBrand } from '../../site/index.ts'
import { checkEverything } from './all-checks.ts'
import { codeOf } from './error-code.ts'
import { describeMailFailure } from './service-checks.ts'

/** How long results are shown before the checks run again, in milliseconds. */
const KEPT_FOR = 3_600_000

interface Results {
  readonly checks: CheckResult[]
  readonly checkedAt: number
}

/** The last results of this process, and the checks that are running. */
const kept = new WeakMap<Database, { running?: Promise<Results>; last?: Results }>()

function stateOf(db: Database) {
  const state = kept.get(db) ?? {}
  kept.set(db, state)
  return state
}

/** Runs all checks, or waits for those that are running. */
function runNow(services: Services): Promise<Results> {
  const state = stateOf(services.db)
  state.running ??= checkEverything(services)
    .then((checks) => (state.last = { checks, checkedAt: services.clock.now() }))
    .finally(() => delete state.running)
  return state.running
}

function present({ clock }: Services, { checks, checkedAt }: Results) {
  return { checks, checkedAt: formatTime(checkedAt), serverTime: formatTime(clock.now()) }
}

const getChecks = endpoint(calls.getChecks, async (ctx) => {
  const { last } = stateOf(ctx.db)
  const isFresh = last !== undefined && Math.abs(ctx.clock.now() - last.checkedAt) < KEPT_FOR
  return present(ctx, isFresh ? last : await runNow(ctx))
})

const runChecks = endpoint(calls.runChecks, async (ctx) => present(ctx, await runNow(ctx)))

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
