import { randomUUID } from 'node:crypto'
import { deleteAccount } from '@alcove/contract/accounts'
import { listActivity } from '@alcove/contract/activity'
import { addFavorite } from '@alcove/contract/favorites'
import { createFolder, getFolder, moveFile, moveFolder, trashFile, trashFolder } from '@alcove/contract/files'
import { createGroup, updateGroup } from '@alcove/contract/groups'
import { listItems } from '@alcove/contract/item-calls'
import { createPlaylist, listPlaylists } from '@alcove/contract/media'
import {
  acceptHandOver,
  declineHandOver,
  getDeletionPreview,
  getHandOver,
  inviteMember,
  listMembers,
  listSharedWithMe,
  offerHandOver,
  removeMember,
  withdrawHandOver,
} from '@alcove/contract/members'
import { listNotices } from '@alcove/contract/notices'
import { searchItems } from '@alcove/contract/search'
import { updatePublicLink } from '@alcove/contract/sharing'
import { listTrash, restoreFile } from '@alcove/contract/trash'
import { completeUpload, verifyUploads } from '@alcove/contract/uploads'
import { listVersions } from '@alcove/contract/versions'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkCounters } from '../../commands/verify.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { lockMembership } from '../../platform/http/members.ts'
import { untilLockWait } from '../../testing/engines/lock-waits.ts'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'
import { contextOf, lockItem } from '../../testing/factories/locks.ts'
import { addManyItems, indexNames } from '../../testing/factories/many-items.ts'
import { addTestMember, type TestMember } from '../../testing/factories/shares.ts'
import { changeProperties, changeTree, lockTree } from '../items/index.ts'
import { buildFromSegments } from '../search/build-segment.ts'

setUpDrive()

let folder: string
let member: TestMember
beforeEach(async () => {
  folder = (await makeFolder('Trip')).id
  member = await addTestMember(app, user, folder, 'viewer')
})

const offer = (to = member, by = user, id = folder) => by.client.call(offerHandOver, { id, memberId: to.memberId })
const accept = (by: Pick<TestMember, 'client'> = member, id = folder) => by.client.call(acceptHandOver, { id })
const rootNames = async ({ client }: Pick<TestMember, 'client'>) =>
  (await client.call(listItems, {})).body.items.map(({ name }) => name)
const noticesOf = async ({ client }: Pick<TestMember, 'client'>, kind: string) =>
  (await client.call(listNotices, {})).body.notices.filter((notice) => notice.kind === kind)

/** Checks that the recorded usage of every account is what its rows add up to. */
async function expectRightCounters() {
  const lines: string[] = []
  expect(await checkCounters(app.services.db, (line) => lines.push(line)), lines.join('\n')).toBe(0)
}

/** Sums what the accounts record, of both users of a test together. */
async function sumUsage() {
  const sums = await app.services.db
    .selectFrom('users')
    .select((eb) => [
      eb.fn.sum('used_bytes').as('used'),
      eb.fn.sum('version_bytes').as('versions'),
      eb.fn.sum('item_count').as('items'),
      eb.fn.sum('property_bytes').as('properties'),
    ])
    .where('id', 'in', [user.id, member.id])
    .executeTakeFirstOrThrow()
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Number(sum)]))
}

describe('an offer', () => {
  it('tells the member how much it is, and is there for both until it is answered', async () => {
    await user.client.upload('a.txt', '12345', { folderId: folder })
    const offered = await offer()
    const offeredTo = {
      memberId: member.memberId,
      email: member.email,
      displayName: null,
      offeredAt: expect.any(String),
    }
    expect(offered).toMatchObject({ status: 200, body: { items: 2, bytes: 5, offeredTo } })
    for (const { client } of [user, member]) {
      expect((await client.call(getHandOver, { id: folder })).body).toEqual(offered.body)
    }
    const offeredAt = offered.body.offeredTo?.offeredAt
    expect((await member.client.call(listSharedWithMe, {})).body.folders[0]?.offeredAt).toBe(offeredAt)
    expect((await user.client.call(listMembers, { id: folder })).body.members[0]?.offeredAt).toBe(offeredAt)
    const data = { folderId: folder, folder: 'Trip', from: user.email, items: 2, bytes: 5 }
    expect(await noticesOf(member, 'ownership_offered')).toMatchObject([{ data, count: 1 }])
    await offer()
    expect(await noticesOf(member, 'ownership_offered')).toMatchObject([{ count: 1 }])
  })

  it('can be declined, which the owner learns and changes nothing else', async () => {
    await offer()
    expect((await member.client.call(declineHandOver, { id: folder })).status).toBe(200)
    expect(await noticesOf(user, 'ownership_answered')).toMatchObject([
      { data: { folderId: folder, folder: 'Trip', by: member.email, isAccepted: false } },
    ])
    expect((await member.client.call(declineHandOver, { id: folder })).status).toBe(404)
    expect((await accept()).status).toBe(404)
    expect((await user.client.call(getHandOver, { id: folder })).body.offeredTo).toBeNull()
    expect((await member.client.call(getHandOver, { id: folder })).status).toBe(403)
  })

  it('can be withdrawn, also twice', async () => {
    await offer()
    for (let time = 0; time < 2; time++) {
      expect((await user.client.call(withdrawHandOver, { id: folder })).status).toBe(200)
    }
    expect(await accept()).toMatchObject({
      status: 404,
      body: {
        error: 'This folder isn’t offered to you. The owner may have taken the offer back or deleted the folder.',
      },
    })
  })

  it('to another member replaces it', async () => {
    const other = await addTestMember(app, user, folder, 'editor')
    await offer()
    await offer(other)
    expect((await accept()).status).toBe(404)
    expect((await accept(other)).status).toBe(200)
  })

  it('ends with the membership and with the folder', async () => {
    await offer()
    await user.client.call(trashFolder, { id: folder })
    expect((await accept()).status).toBe(404)
    expect((await offer()).status).toBe(404)
    const again = (await makeFolder('Again')).id
    const left = await addTestMember(app, user, again, 'viewer', member)
    await offer(left, user, again)
    await user.client.call(removeMember, { id: again, memberId: left.memberId })
    expect((await accept(left, again)).status).toBe(404)
  })

  it('is made by the owner alone, to members who have accepted', async () => {
    const manager = await addTestMember(app, user, folder, 'manager')
    expect((await offer(member, manager)).status).toBe(403)
    expect((await manager.client.call(withdrawHandOver, { id: folder })).status).toBe(403)
    const email = `${randomUUID()}@example.com`
    const invited = (await user.client.call(inviteMember, { id: folder, email, role: 'viewer' })).body.id
    expect(await user.client.call(offerHandOver, { id: folder, memberId: invited })).toMatchObject({
      status: 409,
      body: { error: `${email} hasn’t accepted the invitation to this folder yet.` },
    })
    expect((await user.client.call(offerHandOver, { id: folder, memberId: randomUUID() })).status).toBe(404)
    const other = (await makeFolder('Other')).id
    expect((await offer(member, user, other)).status).toBe(404)
  })

  it('is refused inside another shared folder, which others would lose', async () => {
    const around = (await makeFolder('Around')).id
    await addTestMember(app, user, around, 'viewer')
    await offer()
    await user.client.call(moveFolder, { folderId: folder, targetFolderId: around })
    const error =
      'This folder lies in the shared folder “Around”. Move it out of there first, or hand that folder over.'
    expect(await offer()).toMatchObject({ status: 409, body: { error } })
    expect(await accept()).toMatchObject({ status: 409, body: { error } })
  })
})

describe('accepting', () => {
  it('makes the member the owner and the former owner a manager, once, however often and concurrently', async () => {
    const file = await user.client.upload('a.txt', 'a', { folderId: folder })
    await offer()
    const all = await Promise.all([accept(), accept(), accept()])
    all.push(await accept())
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await rootNames(user)).toEqual([])
    expect(await rootNames(member)).toEqual(['Trip'])
    expect((await member.client.call(listMembers, { id: folder })).body).toMatchObject({
      owner: { email: member.email },
      yourRole: 'owner',
      members: [{ email: user.email, role: 'manager', isYou: false, offeredAt: null }],
    })
    expect((await user.client.call(getFolder, { id: folder })).body.files).toMatchObject([{ id: file.id }])
    expect((await user.client.call(listSharedWithMe, {})).body.folders).toMatchObject([{ id: folder, role: 'manager' }])
    expect(await noticesOf(user, 'ownership_answered')).toMatchObject([{ data: { isAccepted: true } }])
    await expectRightCounters()
  })

  it('moves the usage with versions, the trash and properties, and leaves what lies elsewhere', async () => {
    const inside = (await user.client.call(createFolder, { folderName: 'deep', parentFolderId: folder })).body.id
    await user.client.upload('a.txt', '1', { folderId: inside })
    const replaced = await user.client.upload('a.txt', '22', { folderId: inside, onConflict: 'replace' })
    const trashed = await user.client.upload('b.txt', '4444', { folderId: inside })
    await user.client.call(trashFile, { id: trashed.id })
    await user.client.upload('outside.txt', '88888888')
    const ctx = await contextOf(app, user)
    await changeTree(ctx, (tx) =>
      changeProperties(tx, ctx.user, replaced.id, [{ namespace: 'x', name: 'y', language: null, value: 'z' }], 0),
    )
    const before = await sumUsage()
    expect((await offer()).body).toMatchObject({ items: 4, bytes: 7 })
    expect((await accept()).status).toBe(200)
    expect(await sumUsage()).toEqual(before)
    await expectRightCounters()
    const usage = await app.services.db
      .selectFrom('users')
      .select(['used_bytes', 'version_bytes', 'item_count'])
      .where('id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(usage).toEqual({ used_bytes: 7, version_bytes: 1, item_count: 4 })
    expect((await member.client.call(listVersions, { id: replaced.id })).body.versions).toHaveLength(1)
    expect((await user.client.call(listTrash, {})).body.files).toEqual([])
    expect((await member.client.call(listTrash, {})).body.files).toMatchObject([{ id: trashed.id }])
    const { trashed_by, trashed_by_email } = await app.services.db
      .selectFrom('items')
      .select(['trashed_by', 'trashed_by_email'])
      .where('id', '=', trashed.id)
      .executeTakeFirstOrThrow()
    expect({ trashed_by, trashed_by_email }).toEqual({ trashed_by: user.id, trashed_by_email: user.email })
    // The former owner, who trashed it, can undo that as a manager.
    expect((await user.client.call(restoreFile, { id: trashed.id })).status).toBe(200)
    expect((await member.client.call(getFolder, { id: inside })).body.files).toHaveLength(2)
  })

  it('gives the folder a free name', async () => {
    await member.client.call(createFolder, { folderName: 'Trip' })
    await offer()
    await accept()
    expect(await rootNames(member)).toEqual(['Trip', 'Trip (1)'])
  })

  it('keeps links, which become those of the new owner', async () => {
    const file = await user.client.upload('a.txt', 'a', { folderId: folder })
    const link = (await user.client.call(updatePublicLink, { id: file.id, enabled: true })).body.link
    await offer()
    await accept()
    expect((await member.client.call(updatePublicLink, { id: file.id, enabled: true })).body.link).toBe(link)
    expect((await user.client.call(updatePublicLink, { id: file.id, enabled: false })).status).toBe(404)
    const owners = await app.services.db
      .selectFrom('public_links')
      .select('owner_id')
      .where('item_id', '=', file.id)
      .execute()
    expect(owners).toEqual([{ owner_id: member.id }])
  })

  it('moves the names to the search of the new owner, whether or not they were indexed', async () => {
    const names = Array.from({ length: 1100 }, (_, number) => `postcard ${number}`)
    await addManyItems(app.services, { ownerId: user.id, folderId: folder, names })
    await indexNames(app.services)
    await user.client.upload('late postcard.txt', 'a', { folderId: folder })
    await offer()
    await accept()
    /** Counts what is found in the own drive. The former owner still finds it as shared. */
    const find = async ({ client }: Pick<TestMember, 'client'>, q: string) =>
      (await client.call(searchItems, { q })).body.filter(({ sharedBy }) => !sharedBy).length
    for (const q of ['late postcard', 'postcard 1099']) {
      expect(await find(member, q)).toBe(1)
      expect(await find(user, q)).toBe(0)
    }
    const segments = app.services.db.selectFrom('search_segments').select('id').where('owner_id', '=', user.id)
    const ids = (await segments.where('state', '=', 'ready').execute()).map(({ id }) => id)
    expect(ids).toHaveLength(1)
    // A rebuilt segment has nothing of the new owner's, or it would be rebuilt again and again.
    expect(await buildFromSegments(app.services, user.id, ids)).toBe(0)
  })

  it('keeps the groups of the former owner, who can still change them as a manager', async () => {
    const friend = await app.createUser()
    const { id: groupId } = (await user.client.call(createGroup, { name: 'Family', emails: [friend.email] })).body
    await user.client.call(inviteMember, { id: folder, groupId, role: 'viewer' })
    await offer()
    await accept()
    const other = await app.createUser()
    // The new owner is in the group too, and stays the owner.
    const emails = [friend.email, other.email, member.email]
    expect((await user.client.call(updateGroup, { id: groupId, emails })).status).toBe(200)
    const { members } = (await user.client.call(listMembers, { id: folder })).body
    const fromGroup = members.filter((one) => one.groupId === groupId).map(({ email }) => email)
    expect(fromGroup.sort()).toEqual([friend.email, other.email].sort())
    const seen = (await member.client.call(listMembers, { id: folder })).body
    expect(seen).toMatchObject({ yourRole: 'owner', groups: [] })
    expect(seen.members.every((one) => one.groupId === null)).toBe(true)
  })

  it('gives the folders inside it the new owner, who is no member of them any more', async () => {
    const inside = (await user.client.call(createFolder, { folderName: 'deep', parentFolderId: folder })).body.id
    await addTestMember(app, user, inside, 'viewer', member)
    const other = await addTestMember(app, user, inside, 'editor')
    await offer()
    await accept()
    const { owner, members } = (await member.client.call(listMembers, { id: inside })).body
    expect(owner.email).toBe(member.email)
    expect(members).toMatchObject([{ email: other.email }])
    expect((await other.client.upload('x.txt', 'x', { folderId: inside })).id).toBeDefined()
    await expectRightCounters()
  })

  it('discards unfinished uploads, and keeps finished ones known to those who sent them', async () => {
    const editor = await addTestMember(app, user, folder, 'editor')
    const begin = async (by: Pick<TestMember, 'client'>, totalChunks: number) => {
      const uploadId = randomUUID()
      const chunk = {
        uploadId,
        filename: uploadId,
        chunkIndex: 0,
        totalChunks,
        folderId: folder,
        totalSize: totalChunks,
      }
      expect((await by.client.sendChunk(chunk, 'x')).status).toBe(200)
      return uploadId
    }
    await begin(user, 2)
    await begin(editor, 2)
    const [own, theirs] = [await begin(user, 1), await begin(editor, 1)]
    const finish = (by: Pick<TestMember, 'client'>, uploadId: string) => by.client.raw(completeUpload, { uploadId })
    expect((await finish(user, own)).status).toBe(201)
    expect((await finish(editor, theirs)).status).toBe(201)
    await offer()
    await accept()
    const open = await app.services.db
      .selectFrom('uploads')
      .select('id')
      .where('owner_id', 'in', [user.id, member.id])
      .where('completed_at', 'is', null)
      .execute()
    expect(open).toEqual([])
    await expectRightCounters()
    for (const [by, id] of [
      [user, own],
      [editor, theirs],
    ] as const) {
      expect((await by.client.call(verifyUploads, { uploadIds: [id] })).body.stored).toMatchObject([{ uploadId: id }])
    }
  })

  it('keeps the favorites of both and of others, and playlists', async () => {
    const song = await user.client.upload('song.mp3', 'x', { folderId: folder })
    const note = await user.client.upload('note.txt', 'x', { folderId: folder })
    const plain = await user.client.upload('plain.txt', 'x', { folderId: folder })
    const other = await addTestMember(app, user, folder, 'viewer')
    await user.client.call(createPlaylist, { name: 'Songs', track_ids: [song.id] })
    const mark = (who: Pick<TestMember, 'client'>, itemId: string) =>
      who.client.call(addFavorite, { itemType: 'file', itemId })
    expect((await mark(user, song.id)).status).toBe(200)
    expect((await mark(member, note.id)).status).toBe(200)
    expect((await mark(other, plain.id)).status).toBe(200)
    await offer()
    await accept()
    expect((await user.client.call(listPlaylists, {})).body).toMatchObject([{ track_ids: [song.id] }])
    const marked = async ({ client }: Pick<TestMember, 'client'>) =>
      (await client.call(listItems, { folderId: folder })).body.items
        .filter((item) => item.isFavorite)
        .map(({ id }) => id)
    expect(await marked(user)).toEqual([song.id])
    expect(await marked(member)).toEqual([note.id])
    expect(await marked(other)).toEqual([plain.id])
  })

  it('moves what happened in the folder, without what the new owner must not learn', async () => {
    const secret = (await makeFolder('Secret')).id
    const file = await user.client.upload('a.txt', 'a', { folderId: secret })
    await user.client.call(moveFile, { fileId: file.id, targetFolderId: folder })
    await user.client.upload('elsewhere.txt', 'a', { folderId: secret })
    await offer()
    await accept()
    const seen = async ({ client }: Pick<TestMember, 'client'>) =>
      (await client.call(listActivity, { limit: 100 })).body.activities
    const moved = (await seen(member)).filter(({ folder: place }) => place?.name === 'Trip')
    expect(moved.map(({ action, origin, items }) => [action, origin, items[0]?.name])).toContainEqual([
      'moved',
      null,
      'a.txt',
    ])
    expect(JSON.stringify(await seen(member))).not.toMatch(/Secret|elsewhere/)
    expect((await seen(user)).filter(({ folder: place }) => place?.name === 'Trip')).toEqual([])
    expect(JSON.stringify(await seen(user))).toContain('elsewhere.txt')
  })

  it('is refused without the space or the number of items, and while something is being edited', async () => {
    const file = await user.client.upload('a.txt', '12345', { folderId: folder })
    await offer()
    const { db, config } = app.services
    const set = (allocated_bytes: number) =>
      db.updateTable('users').set({ allocated_bytes }).where('id', '=', member.id).execute()
    await set(4)
    expect(await accept()).toMatchObject({ status: 413, body: { code: 'quota_exceeded' } })
    await set(5)
    await db
      .updateTable('users')
      .set({ item_count: config.maxItems.free - 1 })
      .where('id', '=', member.id)
      .execute()
    expect((await accept()).body).toMatchObject({ code: 'item_limit' })
    await db.updateTable('users').set({ item_count: 0 }).where('id', '=', member.id).execute()
    await lockItem(app, user, file.id)
    expect(await accept()).toMatchObject({
      status: 423,
      body: { error: expect.stringContaining('is being edited in') },
    })
    expect(await rootNames(member)).toEqual([])
    await expectRightCounters()
  })

  it('is refused to an account that isn’t activated', async () => {
    await offer()
    await app.services.db.updateTable('users').set({ activated_at: null }).where('id', '=', member.id).execute()
    expect((await accept()).status).toBe(403)
  })

  it('takes the same few statements for many items, with both accounts right afterwards', async () => {
    const inside = await addManyItems(app.services, {
      ...{ ownerId: user.id, folderId: folder, kind: 'folder' as const },
      names: Array.from({ length: 300 }, (_, number) => `folder ${number}`),
    })
    await addManyItems(app.services, {
      ...{ ownerId: user.id, folderId: inside[7] as string, size: 3 },
      names: Array.from({ length: 3000 }, (_, number) => `file ${number}`),
    })
    await offer()
    expect((await accept()).status).toBe(200)
    await expectRightCounters()
    const { count } = await app.services.db
      .selectFrom('items')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('owner_id', '=', member.id)
      .where('parent_id', 'is not', null)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(3301)
  })

  it('can be undone by handing the folder back, and concurrent offers in both directions don’t block', async () => {
    const other = (await member.client.call(createFolder, { folderName: 'Back' })).body.id
    const back = await addTestMember(app, member, other, 'viewer', user)
    await offer()
    await offer(back, member, other)
    expect((await Promise.all([accept(), accept(user, other)])).map(({ status }) => status)).toEqual([200, 200])
    expect(await rootNames(member)).toEqual(['Trip'])
    expect(await rootNames(user)).toEqual(['Back'])
    const [former] = (await member.client.call(listMembers, { id: folder })).body.members
    const memberId = former?.id as string
    await member.client.call(offerHandOver, { id: folder, memberId })
    expect((await accept(user)).status).toBe(200)
    expect(await rootNames(user)).toEqual(['Back', 'Trip'])
    await expectRightCounters()
  })
})

describe('deleting the account of the owner', () => {
  it('is preceded by a list of the shared folders with their people, without invitations and the trash', async () => {
    const preview = async () => (await user.client.call(getDeletionPreview, {})).body
    await user.client.call(inviteMember, { id: folder, email: `${randomUUID()}@example.com`, role: 'viewer' })
    await makeFolder('Own')
    const more = (await makeFolder('More')).id
    for (let count = 0; count < 4; count++) await addTestMember(app, user, more, 'viewer')
    const { sharedFolders, total } = await preview()
    expect(total).toBe(2)
    expect(sharedFolders).toMatchObject([
      { id: more, name: 'More', memberCount: 4 },
      { id: folder, name: 'Trip', memberCount: 1, members: [{ email: member.email, displayName: null }] },
    ])
    expect(sharedFolders[0]?.members).toHaveLength(3)
    await user.client.call(trashFolder, { id: more })
    expect((await preview()).total).toBe(1)
    expect((await member.client.call(getDeletionPreview, {})).body).toEqual({ sharedFolders: [], total: 0 })
  })

  it('tells each of these people once, whatever the size of the account', async () => {
    const second = (await makeFolder('Another')).id
    await addTestMember(app, user, second, 'viewer', member)
    const invited = await app.createUser()
    await user.client.call(inviteMember, { id: second, email: invited.email, role: 'viewer' })
    await addManyItems(app.services, {
      ownerId: user.id,
      names: Array.from({ length: 600 }, (_, number) => `${number}`),
    })
    expect((await user.client.call(deleteAccount, {})).status).toBe(200)
    expect(await noticesOf(member, 'share_ended')).toMatchObject([
      { data: { folder: 'Another', owner: user.email }, count: 2 },
    ])
    expect(await noticesOf(invited, 'share_ended')).toEqual([])
    expect((await member.client.call(listSharedWithMe, {})).body.folders).toEqual([])
  })

  it('leaves a folder that was handed over before', async () => {
    const file = await user.client.upload('a.txt', 'a', { folderId: folder })
    await offer()
    await accept()
    expect((await user.client.call(deleteAccount, {})).status).toBe(200)
    await app.services.jobs.runDue()
    expect((await member.client.call(getFolder, { id: folder })).body.files).toMatchObject([{ id: file.id }])
    expect((await member.client.call(listMembers, { id: folder })).body.members).toEqual([])
    expect(await noticesOf(member, 'share_ended')).toEqual([])
  })
})

describe('an offer while a member uploads', () => {
  it.runIf(process.env.ALCOVE_TEST_DATABASE === 'postgres')('gives way, since both take the same locks', async () => {
    const db = openDatabase(app.services.config)
    let offered: ReturnType<typeof offer> | undefined
    try {
      await db.transaction().execute(async (tx) => {
        const { memberId, id: userId, email } = member
        await lockMembership(tx, { id: memberId, userId, email, role: 'viewer', needs: 'viewer' })
        offered = offer()
        await untilLockWait(app.services.db)
        await lockTree(tx, user.id)
        await sql`select 1`.execute(tx)
      })
    } finally {
      await db.destroy()
    }
    expect((await offered)?.status).toBe(200)
  })
})
