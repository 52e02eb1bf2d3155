import type { Services } from '../../../context.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/iso-time.ts'
import { listPasskeyRows, presentPasskey } from '../passkeys/passkeys.ts'
import { listFavoriteDetails, listLinkDetails, listPlaylistDetails } from './item-details.ts'

/** What is known of an account besides its files, as JSON; written page by page, however much there is. */
export async function* writeAccountDetails(services: Services, user: UserRow): AsyncGenerator<Uint8Array> {
  const parts: readonly (readonly [string, unknown])[] = [
    ['account', describeAccount(services, user)],
    ['sessions', await listSessionDetails(services, user)],
    ['signInDevices', await listDeviceDetails(services, user)],
    ['twoFactor', await describeTwoFactor(services, user)],
    ['passkeys', (await listPasskeyRows(services.db, user.id)).map(presentPasskey)],
    ['payments', await describePayments(services, user)],
  ]
  for (const [index, [name, details]] of parts.entries()) {
    yield Buffer.from(`${index === 0 ? '{' : ','}\n${JSON.stringify(name)}: ${JSON.stringify(details, undefined, 2)}`)
  }
  yield* writeList('publicLinks', listLinkDetails(services, user))
  yield* writeList('favorites', listFavoriteDetails(services, user))
  yield* writeList('playlists', listPlaylistDetails(services, user))
  yield Buffer.from('\n}\n')
}

async function* writeList(name: string, pages: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array> {
  let before = `,\n${JSON.stringify(name)}: [`
  for await (const page of pages) {
    if (page.length === 0) continue
    yield Buffer.from(`${before}\n${page.map((details) => JSON.stringify(details)).join(',\n')}`)
    before = ','
  }
  yield Buffer.from(before === ',' ? '\n]' : `${before}]`)
}

function describeAccount({ clock }: Services, user: UserRow) {
  return {
    email: user.email,
    displayName: user.display_name,
    createdAt: formatTime(user.created_at),
    activatedAt: timeOrNull(user.activated_at),
    emailChangedAt: timeOrNull(user.email_changed_at),
    plan: { planId: user.plan_id, planName: user.plan_name },
    storage: {
      allocatedBytes: user.allocated_bytes,
      usedBytes: user.used_bytes,
      reservedBytes: user.reserved_bytes,
    },
    exportedAt: formatTime(clock.now()),
  }
}

async function listSessionDetails({ db }: Services, user: UserRow) {
  const rows = await db
    .selectFrom('sessions')
    .select(['device', 'ip', 'created_at', 'last_used_at', 'confirmed_at', 'expires_at'])
    .where('user_id', '=', user.id)
    .execute()
  return rows.map(({ device, ip, created_at, last_used_at, confirmed_at, expires_at }) => ({
    device,
    ip,
    createdAt: formatTime(created_at),
    lastUsedAt: formatTime(last_used_at),
    confirmedAt: timeOrNull(confirmed_at),
    expiresAt: formatTime(expires_at),
  }))
}

async function listDeviceDetails({ db }: Services, user: UserRow) {
  const rows = await db.selectFrom('known_devices').selectAll().where('user_id', '=', user.id).execute()
  return rows.map(({ device, network, seen_at }) => ({ device, network, seenAt: formatTime(seen_at) }))
}

async function describeTwoFactor({ db }: Services, user: UserRow) {
  const row = await db.selectFrom('two_factor').select('enabled_at').where('user_id', '=', user.id).executeTakeFirst()
  return { enabledAt: timeOrNull(row?.enabled_at ?? null) }
}

/** What is kept of them here; cards and invoices are with the card provider alone. */
async function describePayments({ db }: Services, user: UserRow) {
  const row = await db.selectFrom('billing_customers').selectAll().where('user_id', '=', user.id).executeTakeFirst()
  if (!row) return null
  return {
    customerId: row.customer_id,
    subscriptionId: row.subscription_id,
    status: row.status,
    planId: row.plan_id,
    priceInCents: row.price_in_cents,
    currency: row.currency,
    periodEnd: timeOrNull(row.period_end),
    endsAt: timeOrNull(row.ends_at),
    pastDueSince: timeOrNull(row.past_due_since),
    lifetimePlanId: row.lifetime_plan_id,
    grantedPlanId: row.granted_plan_id,
  }
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : formatTime(time)
}
