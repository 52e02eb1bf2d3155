import { errorStatus } from '@alcove/contract/errors'
import { CARD_PROVIDER_CALLS } from '@alcove/contract/rate-limits'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Services, UserContext } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { isSignatureOf, signParts } from '../../platform/crypto/secrets.ts'
import { customerIdOf, findBilling } from './customers.ts'

const query = z.object({ session: z.string().max(64), expires: z.string().max(20), signature: z.string().max(64) })

/**
 * Redirects the browser to the provider's billing portal, or to the account screen if the link is invalid or has
 * expired.
 */
export function portalRoute(api: FastifyInstance, services: Services): void {
  api.get(PORTAL_PATH, async (request, reply) => {
    await services.rateLimits.consumeFrom(PORTAL_PATH, CARD_PROVIDER_CALLS, request.ip)
    const parsed = query.safeParse(request.query)
    const customerId = parsed.success ? await findGranted(services, parsed.data) : undefined
    const account = `${services.config.publicUrl}/account`
    void reply.header('cache-control', 'no-store')
    try {
      return reply.redirect(customerId ? await openPortal(services, customerId, account) : account, 303)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // A person sees this in a new tab.
      return reply.status(errorStatus[error.code]).type('text/plain; charset=utf-8').send(error.message)
    }
  })
}

/** Returns the customer whose session a portal URL was created for, while that session is valid. */
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

/** A portal URL is valid as long as its session, and at most this long. */
const TTL = 24 * 3_600_000

const PORTAL_PATH = '/billing-portal'

/** The session that may open the portal, and until when. */
interface PortalGrant {
  session: string
  expires: string
}

type Signing = Pick<UserContext, 'config' | 'secrets' | 'clock'> & { user: { sessionId: string } }

function partsOf({ session, expires }: PortalGrant): string[] {
  return ['portal', session, expires]
}

/**
 * Returns a URL of this server that redirects to the provider's billing portal. The portal's own URL is valid for
 * minutes only, and a page may stay open for hours.
 */
export function portalUrl({ config, secrets, clock, user }: Signing): string {
  const grant = { session: user.sessionId, expires: String(clock.now() + TTL) }
  const signature = signParts(secrets.urlKey, partsOf(grant))
  return `${config.publicUrl}/api${PORTAL_PATH}?${new URLSearchParams({ ...grant, signature })}`
}

function isPortalGranted(key: Uint8Array, grant: PortalGrant, signature: string, now: number): boolean {
  return isSignatureOf(key, partsOf(grant), signature) && Number(grant.expires) > now
}
