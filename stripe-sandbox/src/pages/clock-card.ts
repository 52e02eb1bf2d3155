import { isEnded, itemOf } from '../billing/keep-subscription.ts'
import { formatDate, formatTime } from '../format.ts'
import type { World } from '../world.ts'
import { type Html, html } from './html.ts'
import { icons } from './page.ts'
import type { PortalState } from './portal-state.ts'

interface ClockCardOptions {
  world: World
  address: string
  state: PortalState
}

/** What happens next by itself, and when. */
function nextStep({ subscription, invoices }: PortalState): { label: string; at: number } | undefined {
  if (!subscription || isEnded(subscription)) return undefined
  const end = itemOf(subscription).current_period_end
  const retries = invoices.flatMap(({ next_payment_attempt: at }) => (at === null ? [] : [at]))
  const retry = Math.min(...retries)
  if (retry < end) return { label: 'To the next retry', at: retry }
  return { label: subscription.cancel_at_period_end ? 'To the end of the plan' : 'To the next renewal', at: end }
}

const choices = [
  ['', 'is paid'],
  ['fail_once', 'fails once, then is paid'],
  ['fail', 'fails until there is a new card'],
] as const

/** Time for trying out: moved by hand, and told how the next renewal goes. */
export function clockCard({ world, address, state }: ClockCardOptions): Html {
  const next = nextStep(state)
  const renewals = state.customer.hidden.renewals ?? ''
  const button = (by: string, label: string) =>
    html`<button class="button quiet" name="by" value="${by}" data-busy="Moving…"><span>${label}</span></button>`
  return html`<section class="card clock"><h2>${icons.clock}Test clock</h2>
<p>It is <b>${formatTime(world.clock.now())}</b> in the sandbox (UTC).</p>
<p class="quiet-text">Moving it lets renewals happen, for everyone in the sandbox. It never goes back.</p>
<form class="stack" method="post" action="${address}/clock">
${next && html`<input type="hidden" name="until" value="${next.at}">${button('next', `${next.label} (${formatDate(next.at)})`)}`}
${button('day', 'By a day')}${button('month', 'By a month')}</form>
<form method="post" action="${address}/renewals"><fieldset class="field"><legend>The next renewal</legend>
${choices.map(
  ([value, label]) =>
    html`<label class="choice"><input type="radio" name="renewals" value="${value}"${value === renewals && html` checked`}><span>${label}</span></label>`,
)}</fieldset>
<button class="button quiet" data-busy="Saving…"><span>Save</span></button></form></section>`
}
