import { calls } from '@alcove/contract/calls'
import type { Services, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { securityEvent } from '../../../platform/security-log.ts'
import { addAppPassword, sendQueuedMails } from '../../accounts/index.ts'
import { expiryOf, type LoginFlow, openLoginFlow, sealSecret } from './login-flow.ts'

export const getLoginFlow = endpoint(calls.getLoginFlow, async (ctx, { token }) => {
  const { hash, app, ip, startedAt } = readFlow(ctx, token)
  const answered = await ctx.db.selectFrom('login_flows').select('hash').where('hash', '=', hash).executeTakeFirst()
  if (answered) throw unknownFlow()
  return { app, ip, startedAt: formatTime(startedAt), account: ctx.user.email }
})

/** Creates an app password for the client. Of two answers at once, the first counts. */
export const allowLoginFlow = endpoint(
  calls.allowLoginFlow,
  securityEvent('app_password_created', async (ctx, { token }) => {
    const flow = readFlow(ctx, token)
    const secret = await ctx.db.transaction().execute(async (tx) => {
      const created = await addAppPassword(ctx, tx, { name: flow.app, scope: 'write' })
      await recordAnswer(tx, flow, {
        app_password_id: created.id,
        sealed_secret: flow.polls ? sealSecret(ctx.secrets.loginFlowKey, flow.hash, created.secret) : null,
      })
      return created.secret
    })
    await sendQueuedMails(ctx)
    return { redirect: flow.polls ? null : clientAddress(ctx, secret) }
  }),
)

export const denyLoginFlow = endpoint(calls.denyLoginFlow, async (ctx, { token }) => {
  await recordAnswer(ctx.db, readFlow(ctx, token), { app_password_id: null, sealed_secret: null })
  return { message: 'The app was not allowed to access your files.' }
})

function readFlow({ secrets, clock }: Services, token: string): LoginFlow {
  const flow = openLoginFlow(secrets.loginFlowKey, token, clock.now())
  if (!flow) throw unknownFlow()
  return flow
}

/** The response is the same for all of these, because the user does the same: starts again. */
function unknownFlow(): AppError {
  return new AppError('not_found', 'This request has expired or was already answered. Start again in the app.')
}

/** Records the answer until the flow expires. Throws if there already is one: the primary key decides. */
async function recordAnswer(
  db: Database,
  flow: LoginFlow,
  answer: { app_password_id: string | null; sealed_secret: string | null },
): Promise<void> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('login_flows')
    .values({ hash: flow.hash, expires_at: expiryOf(flow), ...answer })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) throw unknownFlow()
}

/** Returns the address by which the browser hands the app password to the client (flow v1). Its form is Nextcloud's. */
function clientAddress({ config, user }: UserContext, secret: string): string {
  return `nc://login/server:${config.publicUrl}&user:${encodeURIComponent(user.email)}&password:${secret}`
}
