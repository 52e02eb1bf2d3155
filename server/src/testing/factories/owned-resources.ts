import { randomUUID } from 'node:crypto'
import { getDataUrl } from '@alcove/contract/accounts'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { createFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { createLink } from '@alcove/contract/links'
import { createPlaylist, getStreamUrl } from '@alcove/contract/media'
import type { Role } from '@alcove/contract/roles'
import { updatePublicLink } from '@alcove/contract/sharing'
import { listVersions } from '@alcove/contract/versions'
import type { TestApp } from '../engines/test-app.ts'
import { addNotice } from './notices.ts'
import type { TestUser } from './users.ts'

/** A user on a paid plan, and the ids of one resource of every kind. */
export type OwnedResources = Awaited<ReturnType<typeof createOwner>>

export async function createOwner(app: TestApp) {
  const user = await app.createUser({ planName: '2 TB Annually' })
  const { client } = user
  // The names are unique, so that a lookup by name can't find a file of another user with the same name.
  const own = (name: string) => `${user.id}-${name}`
  const folderOf = async (name: string, fields: { parentFolderId?: string; isEncrypted?: boolean } = {}) =>
    (await client.call(createFolder, { folderName: own(name), ...fields })).body.id
  const fileOf = async (name: string, fields: Record<string, string | boolean> = {}) =>
    (await client.upload(own(name), name, fields)).id
  const sendChunk = async (totalChunks: number) => {
    const uploadId = randomUUID()
    await client.sendChunk({ uploadId, filename: own('begun'), chunkIndex: 0, totalChunks }, 'x')
    return uploadId
  }

  const folder = await folderOf('folder')
  const song = await fileOf('song.mp3')
  const video = await fileOf('video.mp4')
  const vaultFolder = await folderOf('vault folder', { isEncrypted: true })
  const shared = await folderOf('shared')
  const { link } = (await client.call(updatePublicLink, { id: shared, enabled: true })).body
  const trashedFile = await fileOf('trashed.txt')
  await client.call(trashFile, { id: trashedFile })
  const trashedFolder = await folderOf('trashed')
  await client.call(trashFolder, { id: trashedFolder })
  const file = await fileOf('file.txt')
  const versioned = await fileOf('versioned.txt')
  await client.upload(own('versioned.txt'), 'later', { onConflict: 'replace' })
  const [version] = (await client.call(listVersions, { id: versioned })).body.versions
  return {
    user,
    folder,
    otherFolder: await folderOf('other folder'),
    file,
    versioned,
    version: version?.id as string,
    fileName: own('file.txt'),
    fileInFolder: await fileOf('inside.txt', { folderId: folder }),
    nameInFolder: own('inside.txt'),
    song,
    video,
    vaultFolder,
    vaultFile: await fileOf('vault.bin', { isEncrypted: true }),
    vaultFileName: own('vault.bin'),
    nameInVaultFolder: own('deep.bin'),
    fileInVaultFolder: await fileOf('deep.bin', { folderId: vaultFolder }),
    trashedFile,
    trashedFolder,
    halfUpload: await sendChunk(2),
    wholeUpload: await sendChunk(1),
    uploadName: own('begun'),
    playlist: (await client.call(createPlaylist, { name: 'mine', track_ids: [song] })).body.id,
    session: await addSession(app, user),
    passkey: await addPasskey(app, user),
    identity: await addIdentity(app, user),
    ...(await addProviderGroups(app, user, folder)),
    appPassword: await addAppPassword(app, user),
    member: await addMember(app, user, folder, { email: `${randomUUID()}@example.com` }),
    invitation: await addInvitation(app, user),
    ...(await addOffers(app, user, folder)),
    ...(await addGroups(app, user, folder)),
    membership: await addInvitation(app, user, user.id),
    deletionGroup: await addDeletionGroup(app, user, trashedFile),
    link: (await client.call(createLink, { id: shared, label: 'another' })).body.id,
    notice: await createNotice(app, user),
    linkToken: link.slice(link.lastIndexOf('/') + 1),
    sharedFolder: await folderOf('shared below', { parentFolderId: shared }),
    sharedFile: await fileOf('shared.txt', { folderId: shared }),
    sharedVideo: await fileOf('shared.mp4', { folderId: shared }),
    download: queryOf((await client.call(getDownloadUrl, { id: file })).body.url),
    stream: queryOf((await client.call(getStreamUrl, { id: video })).body.url),
    account: queryOf((await client.call(getDataUrl, {})).body.url),
  }
}

function queryOf(url: string): Record<string, string> {
  return Object.fromEntries(new URL(url).searchParams)
}

async function addSession({ services }: TestApp, { id }: TestUser): Promise<string> {
  const now = services.clock.now()
  const session = { id: randomUUID(), user_id: id, created_at: now, expires_at: now + services.config.sessionTtl }
  await services.db.insertInto('sessions').values(session).execute()
  return session.id
}

async function addPasskey({ services }: TestApp, { id }: TestUser): Promise<string> {
  const passkey = {
    ...{ id: randomUUID(), user_id: id, credential_id: randomUUID(), public_key: '', counter: 0, transports: '[]' },
    ...{ name: 'key', is_synced: 0, created_at: services.clock.now(), last_used_at: null },
  }
  await services.db.insertInto('passkeys').values(passkey).execute()
  return passkey.id
}

async function addIdentity({ services }: TestApp, { id }: TestUser, issuer = 'https://id.example'): Promise<string> {
  const identity = { id: randomUUID(), user_id: id, issuer, subject: id, email: null }
  await services.db
    .insertInto('oidc_identities')
    .values({ ...identity, created_at: services.clock.now(), last_used_at: null })
    .execute()
  return identity.id
}

/** Puts the user into two groups of a provider, and shares the folder with one of them. */
async function addProviderGroups(app: TestApp, user: TestUser, folderId: string) {
  const { db } = app.services
  const identityId = await addIdentity(app, user, 'https://groups.example')
  const [providerGroup, folderProviderGroup] = [randomUUID(), randomUUID()]
  for (const id of [providerGroup, folderProviderGroup]) {
    const of = { owner_id: null, provider: 'id', issuer: 'https://groups.example' }
    await db
      .insertInto('people_groups')
      .values({ id, ...of, name: id, created_at: 1 })
      .execute()
    await db.insertInto('group_identities').values({ group_id: id, identity_id: identityId }).execute()
  }
  await db
    .insertInto('folder_groups')
    .values({ folder_id: folderId, group_id: folderProviderGroup, role: 'viewer', created_at: 1 })
    .execute()
  return { providerGroup, folderProviderGroup }
}

async function addAppPassword({ services }: TestApp, { id }: TestUser): Promise<string> {
  const row = { id: randomUUID(), user_id: id, name: 'app', scope: 'read', secret_hash: randomUUID() } as const
  await services.db
    .insertInto('app_passwords')
    .values({ ...row, created_at: services.clock.now() })
    .execute()
  return row.id
}

/** Shares a folder by writing a row. It is an invitation unless `userId` says who has accepted it. */
export async function addMember(
  { services }: TestApp,
  owner: Pick<TestUser, 'id'>,
  folderId: string,
  { email, role = 'viewer', userId = null }: { email: string; role?: Role; userId?: string | null },
): Promise<string> {
  const now = services.clock.now()
  const member = {
    ...{ id: randomUUID(), folder_id: folderId, owner_id: owner.id, user_id: userId, email, role },
    ...{ invited_by: owner.id, created_at: now, accepted_at: userId === null ? null : now },
  }
  await services.db.insertInto('members').values(member).execute()
  return member.id
}

/** Invites a user to a folder of somebody else. `userId` says who has accepted it. */
async function addInvitation(app: TestApp, { email }: TestUser, userId: string | null = null): Promise<string> {
  const host = await app.createUser()
  const folderId = (await host.client.call(createFolder, { folderName: 'for others' })).body.id
  return addMember(app, host, folderId, { email, userId })
}

/** Shares a folder with a member who has accepted, and lets somebody else offer a folder to the user. */
async function addOffers(app: TestApp, user: TestUser, folderId: string) {
  const other = await app.createUser()
  const offeredFolder = (await other.client.call(createFolder, { folderName: 'offered' })).body.id
  const id = await addMember(app, other, offeredFolder, { email: user.email, userId: user.id })
  await app.services.db.updateTable('members').set({ offered_at: 1 }).where('id', '=', id).execute()
  return {
    offeredFolder,
    acceptedMember: await addMember(app, user, folderId, { email: other.email, userId: other.id }),
  }
}

/** Adds two groups of people, and shares the folder with one of them. */
async function addGroups({ services: { db } }: TestApp, { id }: TestUser, folderId: string) {
  const [group, folderGroup] = [randomUUID(), randomUUID()]
  const groups = [group, folderGroup].map((groupId) => ({ id: groupId, owner_id: id, name: groupId, created_at: 1 }))
  await db.insertInto('people_groups').values(groups).execute()
  await db
    .insertInto('folder_groups')
    .values({ folder_id: folderId, group_id: folderGroup, role: 'viewer', created_at: 1 })
    .execute()
  return { group, folderGroup }
}

async function addDeletionGroup({ services }: TestApp, { id }: TestUser, itemId: string): Promise<string> {
  const now = services.clock.now()
  const group = {
    ...{ id: randomUUID(), user_id: id, app_password_id: randomUUID(), app_password_name: 'app', app: 'rclone' },
    ...{ started_at: now, last_at: now, files: 1, total_files: 1, alarmed_at: now },
    ...{ dismissed_at: null, restored_at: null },
  }
  await services.db.insertInto('deletion_groups').values(group).execute()
  await services.db.updateTable('items').set({ deletion_group: group.id }).where('id', '=', itemId).execute()
  return group.id
}

async function createNotice(app: TestApp, user: TestUser): Promise<string> {
  await addNotice(app, user, { kind: 'security_change', data: { change: 'two_factor_on' } })
  const row = await app.services.db
    .selectFrom('notices')
    .select('id')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return row.id
}

/** Returns all rows of a user as text, to check that nothing was changed. */
export async function readOwnedResources({ services: { db } }: TestApp, { id }: TestUser): Promise<string> {
  const rows = await Promise.all([
    db.selectFrom('items').selectAll().where('owner_id', '=', id).orderBy('id').execute(),
    db
      .selectFrom('public_links')
      .innerJoin('items', 'items.id', 'public_links.item_id')
      .selectAll('public_links')
      .where('items.owner_id', '=', id)
      .orderBy('token')
      .execute(),
    db.selectFrom('versions').selectAll().where('owner_id', '=', id).orderBy('id').execute(),
    db.selectFrom('uploads').selectAll().where('owner_id', '=', id).orderBy('id').execute(),
    db.selectFrom('members').selectAll().where('owner_id', '=', id).orderBy('id').execute(),
    db.selectFrom('people_groups').selectAll().where('owner_id', '=', id).orderBy('id').execute(),
    db
      .selectFrom('folder_groups')
      .innerJoin('items', 'items.id', 'folder_id')
      .selectAll('folder_groups')
      .where('owner_id', '=', id)
      .orderBy('group_id')
      .execute(),
    db.selectFrom('playlists').selectAll().where('owner_id', '=', id).execute(),
    db
      .selectFrom('playlist_tracks')
      .innerJoin('playlists', 'playlists.id', 'playlist_tracks.playlist_id')
      .select(['item_id', 'place'])
      .where('owner_id', '=', id)
      .execute(),
    db.selectFrom('sessions').selectAll().where('user_id', '=', id).orderBy('id').execute(),
    db.selectFrom('passkeys').selectAll().where('user_id', '=', id).execute(),
    db.selectFrom('oidc_identities').selectAll().where('user_id', '=', id).orderBy('id').execute(),
    db
      .selectFrom('group_identities')
      .innerJoin('oidc_identities', 'oidc_identities.id', 'identity_id')
      .selectAll('group_identities')
      .where('user_id', '=', id)
      .orderBy('group_id')
      .execute(),
    // Without the last use, which each use changes.
    db.selectFrom('app_passwords').select(['id', 'name']).where('user_id', '=', id).orderBy('id').execute(),
    db.selectFrom('deletion_groups').selectAll().where('user_id', '=', id).orderBy('id').execute(),
    db.selectFrom('notices').selectAll().where('user_id', '=', id).orderBy('id').execute(),
    // Without when the user was last seen, for the same reason.
    db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', id)
      .execute()
      .then((users) => users.map((user) => ({ ...user, last_seen_at: null }))),
  ])
  return JSON.stringify(rows)
}
