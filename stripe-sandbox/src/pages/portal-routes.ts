import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { periodEnd } from '../billing/arithmetic.ts'
import { change } from '../due-work.ts'
import { formOf } from '../http/api-server.ts'
import { StripeError } from '../http/stripe-error.ts'
import {
  PORTAL_LIFE,
  type PortalState,
  payFromPortal,
  readPortalState,
  setCancelled,
  setDefaultCard,
  setRenewals,
} from '../resources/portal.ts'
import type { World } from '../world.ts'
import {
  EMPTY_CARD_FORM,
  type FieldError,
  fieldErrorOf,
  findMissing,
  readCardForm,
  type SubmittedCard,
} from './card-form.ts'
import { messagePage, sendPage } from './page.ts'
import { type PortalPageOptions, portalPage } from './portal-page.ts'

const DAY = 86_400
/** The longest step of the test clock. No price renews less often than every three years. */
const MAX_STEP = 4 * 366 * DAY

/** The notice after each action. The address carries only its key. */
const notices: Readonly<Record<string, { text: string; isError?: boolean }>> = {
  card: { text: 'Your card was saved. It is used from now on.' },
  cancelled: { text: 'Your plan ends at the end of the paid period.' },
  resumed: { text: 'Your plan continues.' },
  paid: { text: 'The invoice is paid.' },
  declined: { text: 'The card was declined. Update the card and try again.', isError: true },
  moved: { text: 'The test clock was moved.' },
  renewals: { text: 'Saved.' },
}

type Advance = (milliseconds: number) => Promise<void>
type Portal = FastifyRequest<{ Params: { token: string } }>

/** Registers the portal. Its unguessable address is the only access control, and expires after an hour without use. */
export function portalRoutes(app: FastifyInstance, world: World, base: string, advance: Advance): void {
  const addressOf = ({ params }: Portal) => `${base}/portal/${params.token}`

  function open(request: Portal): PortalState | undefined {
    return change(world, () => {
      const kept = world.store.findByLookup('billing_portal.session', request.params.token)
      const now = world.clock.outside()
      if (!kept || kept.hidden.usableUntil < now) return undefined
      world.store.keep(kept.body, { ...kept.hidden, usableUntil: now + PORTAL_LIFE })
      return readPortalState(world, kept.body)
    })
  }

  function show(
    request: Portal,
    reply: FastifyReply,
    state: PortalState,
    rest: Shown = {},
    status = 200,
  ): FastifyReply {
    const options = { world, base, address: addressOf(request), state, form: EMPTY_CARD_FORM, ...rest }
    return sendPage(reply, portalPage(options), status)
  }

  function closed(reply: FastifyReply): FastifyReply {
    const text = 'Open the billing portal again from your account.'
    return sendPage(reply, messagePage({ base, title: 'This page has expired', text }), 404)
  }

  /** Registers an action. `work` returns the key of the notice to show. */
  function act(
    path: string,
    work: (state: PortalState, fields: Map<string, string>) => Promise<string> | string,
  ): void {
    app.post<{ Params: { token: string } }>(`/portal/:token/${path}`, async (request, reply) => {
      const state = open(request)
      if (!state) return closed(reply)
      const fields = new Map(new URLSearchParams(formOf(request)))
      try {
        const done = await work(state, fields)
        return reply.redirect(`${addressOf(request)}?done=${done}`, 303)
      } catch (error) {
        if (!(error instanceof StripeError)) throw error
        const text =
          error.status === 402 ? error.message : 'That is not possible any more. This page shows the current state.'
        return show(request, reply, open(request) ?? state, { notice: { text, isError: true } }, error.status)
      }
    })
  }

  app.get<{ Params: { token: string }; Querystring: { done?: string } }>('/portal/:token', async (request, reply) => {
    const state = open(request)
    const done = String(request.query.done)
    const notice = Object.hasOwn(notices, done) ? notices[done] : undefined
    return state ? show(request, reply, state, { notice }) : closed(reply)
  })

  app.post<{ Params: { token: string } }>('/portal/:token/card', async (request, reply) => {
    const state = open(request)
    if (!state) return closed(reply)
    const submitted = readCardForm(new Map(new URLSearchParams(formOf(request))))
    const error = findMissing(submitted) ?? saveCard(world, state, submitted)
    if (error) return show(request, reply, state, { form: submitted.form, error }, 402)
    return reply.redirect(`${addressOf(request)}?done=card`, 303)
  })

  act('cancel', (state) => change(world, () => setCancelled(world, state.subscription, true)) ?? 'cancelled')
  act('resume', (state) => change(world, () => setCancelled(world, state.subscription, false)) ?? 'resumed')
  act('pay', (state, fields) => {
    const decline = change(world, () => payFromPortal(world, state.customer.body.id, fields.get('invoice') ?? ''))
    return decline ? 'declined' : 'paid'
  })
  act('renewals', (state, fields) => {
    change(world, () => setRenewals(world, state.customer.body.id, fields.get('renewals') ?? ''))
    return 'renewals'
  })
  act('clock', async (_state, fields) => {
    const now = world.clock.now()
    const month = periodEnd(now, now, { interval: 'month', interval_count: 1 })
    const target = { day: now + DAY, month, next: Number(fields.get('until')) }[fields.get('by') ?? '']
    if (target === undefined || !Number.isSafeInteger(target) || target > now + MAX_STEP) return 'none'
    // Somebody else may have moved the clock past the target.
    await advance(Math.max(0, target - now) * 1000)
    return 'moved'
  })
}

type Shown = Partial<Pick<PortalPageOptions, 'form' | 'error' | 'notice'>>

function saveCard(world: World, { customer }: PortalState, { card, form }: SubmittedCard): FieldError | undefined {
  try {
    change(world, () => setDefaultCard(world, customer.body.id, card, form.name))
    return undefined
  } catch (error) {
    return fieldErrorOf(error)
  }
}
