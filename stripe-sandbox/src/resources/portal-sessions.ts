import type { Parameters } from '../http/parameters.ts'
import { newId, randomText } from '../ids.ts'
import type { PortalSession } from '../stripe-objects.ts'
import type { World } from '../world.ts'
import { getCustomer } from './customers.ts'
import { readUrl } from './read-url.ts'

/** How long the portal stays open without being used, in milliseconds of the time outside. */
export const PORTAL_LIFE = 60 * 60 * 1000

export function createPortalSession(world: World, params: Parameters): PortalSession {
  const customer = getCustomer(world, params.requiredText('customer'), 'customer')
  const token = randomText(48)
  params.ignore('configuration', 'locale', 'flow_data')
  const body: PortalSession = {
    id: newId('bps'),
    object: 'billing_portal.session',
    configuration: 'bpc_sandbox',
    created: world.clock.now(),
    customer: customer.body.id,
    customer_account: null,
    flow: null,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: readUrl(params, 'return_url') ?? null,
    url: `${world.pagesUrl}/portal/${token}`,
  }
  const hidden = { token, usableUntil: world.clock.outside() + PORTAL_LIFE }
  world.store.keep(body, hidden, { customer: customer.body.id, lookup: token })
  return body
}
