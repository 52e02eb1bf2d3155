import type { Services } from '../../../context.ts'
import type { ItemRow, UserRow } from '../../../platform/db/tables.ts'
import { formatTime } from '../../../platform/format.ts'
import { listAllActivity } from '../../activity/index.ts'
import { readFolderPaths, readSharedPlaces } from '../../items/index.ts'
import { readAllNotices, readMailSettings } from '../../notices/index.ts'
import { readAppPasswords } from '../app-passwords/manage-app-passwords.ts'
import { listPasskeyRows, presentPasskey } from '../passkeys/passkeys.ts'
import { listIdentityRows } from '../single-sign-on/identities.ts'

/** Yields everything stored about an account except its files, as JSON, page by page. */
export async function* writeAccountDetails(services: Services, user: UserRow): AsyncGenerator<Uint8Array> {
  const parts: readonly (readonly [string, unknown])[] = [
    ['account', describeAccount(services, user)],
    ['sessions', await listSessionDetails(services, user)],
    ['signInDevices', await listDeviceDetails(services, user)],
    ['twoFactor', await describeTwoFactor(services, user)],
    ['passkeys', (await listPasskeyRows(services.db, user.id)).map(presentPasskey)],
    ['signInProviders', await listProviderDetails(services, user)],
    ['appPasswords', await readAppPasswords(services, user.id)],
    ['notices', await readAllNotices(services.db, user.id)],
    ['noticeMails', await readMailSettings(services.db, user.id)],
    ['payments', await describePayments(services, user)],
  ]
  for (const [index, [name, details]] of parts.entries()) {
    yield Buffer.from(`${index === 0 ? '{' : ','}\n${JSON.stringify(name)}: ${JSON.stringify(details, undefined, 2)}`)
  }
  yield* writeList('publicLinks', listLinkDetails(services, user))
  yield* writeList('sharedFolders', listMemberDetails(services, user))
  yield* writeList('sharedWithMe', listSharedDetails(services, user))
  yield* writeList('groups', listGroupDetails(services, user))
  yield* writeList('activity', listAllActivity(services.db, readerOf(user)))
  yield* writeList('favorites', listFavoriteDetails(services, user))
  yield* writeList('playlists', listPlaylistDetails(services, user))
  yield Buffer.from('\n}\n')
}

function readerOf({ id, drive_root_id, vault_root_id }: UserRow) {
  return { id, driveRootId: drive_root_id, vaultRootId: vault_root_id }
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

/** The payment data stored here. Cards and invoices are stored by the card provider. */
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

async function listProviderDetails({ db }: Services, { id }: UserRow): Promise<object[]> {
  return (await listIdentityRows(db, id)).map(({ issuer, subject, email, created_at, last_used_at }) => ({
    issuer,
    subject,
    email,
    linkedAt: formatTime(created_at),
    lastUsedAt: timeOrNull(last_used_at),
  }))
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : formatTime(time)
}

/** Rows per page. */
const PAGE = 1000

/** Yields the enabled public links, newest first. */
async function* listLinkDetails({ db, config }: Services, user: UserRow): AsyncGenerator<object[]> {
  for (let last: { enabled_at: number; link_id: string } | undefined; ; ) {
    let page = db
      .selectFrom('public_links')
      .innerJoin('items', 'items.id', 'public_links.item_id')
      .select(['items.id', 'name', 'kind', 'area', 'parent_id', 'modified_at'])
      .select(['public_links.id as link_id', 'label', 'permission', 'enabled_at', 'token'])
      .select(['expires_at', 'download_count', 'received_files'])
      .select((eb) => eb('password_hash', 'is not', null).as('has_password'))
      .where('public_links.owner_id', '=', user.id)
      .where('enabled_at', 'is not', null)
      .$narrowType<{ enabled_at: number; parent_id: string }>()
    const after = last
    if (after) {
      page = page.where((eb) =>
        eb(eb.refTuple('enabled_at', 'public_links.id'), '<', eb.tuple(after.enabled_at, after.link_id)),
      )
    }
    const rows = await page.orderBy('enabled_at', 'desc').orderBy('public_links.id', 'desc').limit(PAGE).execute()
    const paths = await readFolderPaths(db, [...new Set(rows.map((row) => row.parent_id))])
    yield rows.map((row) => ({
      link: `${config.publicUrl}/s/${row.token}`,
      ...describeItem(row, paths),
      label: row.label,
      right: row.permission,
      enabledAt: formatTime(row.enabled_at),
      hasPassword: Boolean(row.has_password),
      expiresAt: row.expires_at === null ? null : formatTime(row.expires_at),
      downloadCount: row.download_count,
      receivedFiles: row.received_files,
    }))
    if (rows.length < PAGE) return
    last = rows.at(-1)
  }
}

/** Yields the people with whom the user shares folders, invitations included. */
async function* listMemberDetails({ db }: Services, user: UserRow): AsyncGenerator<object[]> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('members')
      .innerJoin('items', 'items.id', 'members.folder_id')
      .select(['items.name', 'kind', 'area', 'parent_id', 'modified_at'])
      .select(['members.id', 'members.email', 'role', 'members.created_at', 'accepted_at'])
      .where('members.owner_id', '=', user.id)
      .where('members.id', '>', last)
      .$narrowType<{ parent_id: string }>()
      .orderBy('members.id')
      .limit(PAGE)
      .execute()
    const paths = await readFolderPaths(db, [...new Set(rows.map((row) => row.parent_id))])
    yield rows.map((row) => ({
      ...describeItem(row, paths),
      email: row.email,
      role: row.role,
      invitedAt: formatTime(row.created_at),
      acceptedAt: timeOrNull(row.accepted_at),
    }))
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id ?? ''
  }
}

/** Yields the folders that others share with the user, of which there are few. */
async function* listSharedDetails({ db }: Services, user: UserRow): AsyncGenerator<object[]> {
  const rows = await db
    .selectFrom('members')
    .innerJoin('items', 'items.id', 'members.folder_id')
    .innerJoin('users', 'users.id', 'members.owner_id')
    .select(['items.name', 'users.email as owner', 'role', 'accepted_at'])
    .where('members.user_id', '=', user.id)
    .where('items.trash_id', 'is', null)
    .orderBy('accepted_at')
    .execute()
  yield rows.map(({ name, owner, role, accepted_at }) => ({
    folder: name,
    owner,
    role,
    acceptedAt: timeOrNull(accepted_at),
  }))
}

/** Yields the user's groups of people, and the groups of providers that the user is in. There are few of both. */
async function* listGroupDetails({ db }: Services, user: UserRow): AsyncGenerator<object[]> {
  const rows = await db
    .selectFrom('people_groups')
    .leftJoin('group_people', 'group_people.group_id', 'people_groups.id')
    .select(['id', 'name', 'email'])
    .where('owner_id', '=', user.id)
    .orderBy('name')
    .orderBy('email')
    .execute()
  const groups = Map.groupBy(rows, ({ id }) => id)
  yield [...groups.values()].map((people) => ({
    name: people[0]?.name,
    emails: people.flatMap(({ email }) => email ?? []),
  }))
  yield await db
    .selectFrom('group_identities')
    .innerJoin('oidc_identities', 'oidc_identities.id', 'group_identities.identity_id')
    .innerJoin('people_groups', 'people_groups.id', 'group_identities.group_id')
    .select(['name', 'provider'])
    .distinct()
    .where('user_id', '=', user.id)
    .orderBy('name')
    .orderBy('provider')
    .execute()
}

/** Yields the favorites that are not in the trash, sorted by name, using their index. */
async function* listFavoriteDetails(services: Services, user: UserRow): AsyncGenerator<object[]> {
  for (const kind of ['folder', 'file'] as const) yield* listFavoritesOf(services, user, kind)
}

async function* listFavoritesOf({ db }: Services, user: UserRow, kind: ItemRow['kind']): AsyncGenerator<object[]> {
  for (let last = { sort_key: '', id: '' }; ; ) {
    const { sort_key, id } = last
    const rows = await db
      .selectFrom('items')
      .select(['id', 'name', 'kind', 'area', 'parent_id', 'sort_key', 'favorite_at', 'modified_at'])
      .where('owner_id', '=', user.id)
      .where('favorite_at', 'is not', null)
      .where('trash_id', 'is', null)
      .where('kind', '=', kind)
      .where((eb) => eb(eb.refTuple('sort_key', 'id'), '>', eb.tuple(sort_key, id)))
      .$narrowType<{ favorite_at: number; parent_id: string }>()
      .orderBy('sort_key')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const paths = await readFolderPaths(db, [...new Set(rows.map((row) => row.parent_id))])
    yield rows.map((row) => ({ ...describeItem(row, paths), markedAt: formatTime(row.favorite_at) }))
    if (rows.length < PAGE) return
    last = rows.at(-1) as (typeof rows)[number]
  }
}

/** Yields the playlists, each with the paths of its tracks in order. */
async function* listPlaylistDetails({ db }: Services, user: UserRow): AsyncGenerator<object[]> {
  const playlists = await db
    .selectFrom('playlists')
    .select(['id', 'name', 'created_at', 'updated_at'])
    .where('owner_id', '=', user.id)
    .execute()
  for (const { id, name, created_at, updated_at } of playlists) {
    const rows = await db
      .selectFrom('playlist_tracks')
      .innerJoin('items', 'items.id', 'playlist_tracks.item_id')
      .select(['items.id', 'owner_id', 'name', 'kind', 'area', 'parent_id', 'trash_id', 'modified_at'])
      .where('playlist_id', '=', id)
      .orderBy('place')
      .$narrowType<{ parent_id: string }>()
      .execute()
    const own = rows.filter((row) => row.owner_id === user.id)
    const paths = await readFolderPaths(db, [...new Set(own.map((row) => row.parent_id))])
    // Of tracks of others, only the place in the shared folder is told, as long as it is shared.
    const others = rows.filter((row) => row.owner_id !== user.id && row.trash_id === null)
    const places = await readSharedPlaces(db, user.id, others)
    const tracks = rows
      .map((row) => (row.owner_id === user.id ? describeItem(row, paths).path : places.get(row.id)?.path))
      .filter((path) => path !== undefined)
    yield [{ name, createdAt: formatTime(created_at), updatedAt: formatTime(updated_at), tracks }]
  }
}

function describeItem(
  row: Pick<ItemRow, 'name' | 'kind' | 'area' | 'modified_at'> & { parent_id: string },
  paths: ReadonlyMap<string, string>,
) {
  return {
    path: `${paths.get(row.parent_id) ?? ''}/${row.name}`,
    type: row.kind,
    isInVault: row.area === 'vault',
    ...(row.modified_at !== null && { modifiedAt: formatTime(row.modified_at) }),
  }
}
