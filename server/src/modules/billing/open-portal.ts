import { errorStatus } from '@alcove/contract/errors'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { ASKS_PROVIDER } from '../../platform/http/rate-limits.ts'
import { customerIdOf, findBilling } from './customers.ts'
import { isPortalGranted, PORTAL_PATH } from './portal-url.ts'

const query = z.object({ session: z.string().max(64), expires: z.string().max(20), signature: z.string().max(64) })

/** Opens the provider's billing portal in the browser. Whoever may not, or not any more, comes to the account screen. */
export function portalRoute(api: FastifyInstance, services: Services): void {
  api.get(PORTAL_PATH, async (request, reply) => {
    await services.rateLimits.consumeFrom(PORTAL_PATH, ASKS_PROVIDER, request.ip)
    const parsed = query.safeParse(request.query)
    const customerId = parsed.success ? await findGranted(services, parsed.data) : undefined
    const account = `${services.config.publicUrl}/account`
    void reply.header('cache-control', 'no-store')
    try {
      return reply.redirect(customerId ? await openPortal(services, customerId, account) : account, 303)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // This is read by a person, in a tab of its own.
      return reply.status(errorStatus[error.code]).type('text/plain; charset=utf-8').send(error.message)
    }
  })
}

/** The customer whose session an address was made for, while that session lives. */
async function findGranted(
  { db, secrets, clock, payments }: Services,
  { signature, ...grant }: z.infer<typeof query>,
): Promise<string | undefined> {
  const now = clock.now()
  if (!isPortalGranted(secrets.urlKey, grant, signature, now)) return undefined
  const session = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', grant.session)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return session && customerIdOf(await findBilling(db, session.user_id), payments)
}

async function openPortal({ payments }: Services, customer: string, account: string): Promise<string> {
  const { url } = await payments.ask((stripe) =>
    stripe.billingPortal.sessions.create({ customer, return_url: account }),
  )
  return url
}
