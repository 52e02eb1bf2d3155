import { randomUUID } from 'node:crypto'
import { deleteAccount } from '@alcove/contract/accounts'
import { createFolder, getFolder } from '@alcove/contract/files'
import {
  changeFolderGroup,
  createGroup,
  deleteGroup,
  listGroups,
  removeFolderGroup,
  updateGroup,
} from '@alcove/contract/groups'
import { MAX_GROUP_PEOPLE, MAX_GROUPS, MAX_MEMBERS } from '@alcove/contract/limits'
import {
  acceptInvitation,
  changeMember,
  inviteMember,
  listMembers,
  listSharedWithMe,
  removeMember,
} from '@alcove/contract/members'
import { listNotices } from '@alcove/contract/notices'
import type { Role } from '@alcove/contract/roles'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkCounters } from '../../../commands/verify.ts'
import { createTestApp } from '../../../testing/engines/test-app.ts'
import { app, makeFolder, setUpDrive, user } from '../../../testing/factories/drive.ts'
import { addTestMember } from '../../../testing/factories/shares.ts'
import type { TestUser } from '../../../testing/factories/users.ts'
import { INVITATIONS } from '../may-invite.ts'

setUpDrive()

let folder: string
let ann: TestUser
let bob: TestUser
beforeEach(async () => {
  folder = (await makeFolder('Trip')).id
  ann = await app.createUser()
  bob = await app.createUser()
})

const newAddress = () => `${randomUUID()}@example.com`
const emailsOf = (people: readonly TestUser[]) => people.map(({ email }) => email)
const makeGroup = async (people: readonly TestUser[], name: string = randomUUID(), by = user) =>
  (await by.client.call(createGroup, { name, emails: emailsOf(people) })).body.id
const setPeople = (id: string, people: readonly TestUser[]) =>
  user.client.call(updateGroup, { id, emails: emailsOf(people) })
const share = (groupId: string, role: Role = 'viewer', id = folder, by = user) =>
  by.client.call(inviteMember, { id, groupId, role })
const rolesIn = async (id = folder, by = user) =>
  Object.fromEntries((await by.client.call(listMembers, { id })).body.members.map(({ email, role }) => [email, role]))

/** Accepts everything to which a user is invited. */
async function acceptAll({ client }: TestUser): Promise<void> {
  for (const { id } of (await client.call(listSharedWithMe, {})).body.invitations) {
    expect((await client.call(acceptInvitation, { id })).status).toBe(200)
  }
}
const canRead = async ({ client }: TestUser, id = folder) => (await client.call(getFolder, { id })).status === 200

describe('the groups of a user', () => {
  it('are created, listed by name, renamed and deleted', async () => {
    const created = await user.client.call(createGroup, {
      name: ' Team 10 ',
      emails: [bob.email.toUpperCase(), bob.email],
    })
    expect(created).toMatchObject({ status: 201, body: { name: 'Team 10', emails: [bob.email], folderCount: 0 } })
    await makeGroup([], 'Team 9')
    const names = async () => (await user.client.call(listGroups, {})).body.map(({ name }) => name)
    expect(await names()).toEqual(['Team 9', 'Team 10'])
    const { id } = created.body
    expect(await user.client.call(updateGroup, { id, name: 'Team 9' })).toMatchObject({
      status: 409,
      body: { error: 'You have a group named “Team 9” already.' },
    })
    expect((await user.client.call(updateGroup, { id, name: 'Family' })).body).toMatchObject({ emails: [bob.email] })
    expect((await user.client.call(deleteGroup, { id })).status).toBe(200)
    expect((await user.client.call(deleteGroup, { id })).status).toBe(404)
    expect(await names()).toEqual(['Team 9'])
  })

  it('are nobody else’s', async () => {
    const id = await makeGroup([ann])
    expect((await bob.client.call(listGroups, {})).body).toEqual([])
    expect((await bob.client.call(updateGroup, { id, emails: [] })).status).toBe(404)
    expect((await bob.client.call(deleteGroup, { id })).status).toBe(404)
    const own = (await bob.client.raw(createGroup, { name: 'x' })).status
    expect(own).toBe(201)
    await share(id)
    await acceptAll(ann)
    const seen = (await ann.client.call(listMembers, { id: folder })).body
    expect(seen).toMatchObject({ groups: [], members: [{ email: ann.email, groupId: null }] })
  })

  it.each([
    { name: '' },
    { name: 'x'.repeat(81) },
    { name: 'x', emails: ['nobody'] },
    { name: 'x', emails: Array.from({ length: MAX_GROUP_PEOPLE + 1 }, (_, number) => `a${number}@example.com`) },
  ])('reject %o with a sentence', async (input) => {
    const { status, body } = await user.client.raw(createGroup, input)
    expect(status).toBe(400)
    expect(body.error).toMatch(/\.$|Invalid email format/)
  })

  it('are limited in number, also if they are created at the same time', async () => {
    const all = await Promise.all(
      Array.from({ length: MAX_GROUPS + 3 }, (_, number) => user.client.call(createGroup, { name: `${number}` })),
    )
    expect(all.filter(({ status }) => status === 201)).toHaveLength(MAX_GROUPS)
  })

  it('are deleted with the account', async () => {
    await share(await makeGroup([ann]))
    await user.client.call(deleteAccount, {})
    expect(
      await app.services.db.selectFrom('people_groups').select('id').where('owner_id', '=', user.id).execute(),
    ).toEqual([])
  })
})

describe('a folder that is shared with a group', () => {
  it('invites everyone in it who isn’t there yet, by bell and mail, and names the group to its owner', async () => {
    await addTestMember(app, user, folder, 'editor', bob)
    const id = await makeGroup([ann, bob, user], 'Family')
    expect(await share(id)).toMatchObject({ status: 201, body: { id, name: 'Family', role: 'viewer' } })
    const { members, groups } = (await user.client.call(listMembers, { id: folder })).body
    expect(groups).toEqual([{ id, name: 'Family', provider: null, role: 'viewer' }])
    expect(members).toMatchObject([
      { email: bob.email, role: 'editor', groupId: null },
      { email: ann.email, role: 'viewer', groupId: id },
    ])
    expect((await ann.client.call(listNotices, {})).body.notices).toMatchObject([{ kind: 'share_offered' }])
    expect((await app.readMails()).filter((mail) => mail.includes(`To: ${ann.email}`))).toHaveLength(1)
    await acceptAll(ann)
    expect(await canRead(ann)).toBe(true)
    expect(await share(id)).toMatchObject({
      status: 409,
      body: { error: 'The group “Family” has been invited to this folder already.' },
    })
    expect((await user.client.call(listGroups, {})).body).toMatchObject([{ folderCount: 1 }])
  })

  it('invites who joins the group later, and ends for who leaves it', async () => {
    const id = await makeGroup([ann])
    const other = (await makeFolder('Other')).id
    await share(id)
    await share(id, 'editor', other)
    await acceptAll(ann)
    await setPeople(id, [ann, bob])
    expect(await rolesIn()).toEqual({ [ann.email]: 'viewer', [bob.email]: 'viewer' })
    expect(await rolesIn(other)).toEqual({ [ann.email]: 'editor', [bob.email]: 'editor' })
    expect((await bob.client.call(listSharedWithMe, {})).body.invitations).toHaveLength(2)
    expect((await bob.client.call(listNotices, {})).body.notices).toHaveLength(2)
    await setPeople(id, [bob])
    expect(await canRead(ann)).toBe(false)
    expect(await rolesIn()).toEqual({ [bob.email]: 'viewer' })
    await user.client.call(deleteGroup, { id })
    expect(await rolesIn()).toEqual({})
    expect(await rolesIn(other)).toEqual({})
  })

  it('gives the higher role of two groups, and what remains if one ends', async () => {
    const [low, high] = [await makeGroup([ann]), await makeGroup([ann])]
    await share(low, 'viewer')
    await share(high, 'editor')
    expect(await rolesIn()).toEqual({ [ann.email]: 'editor' })
    await user.client.call(changeFolderGroup, { id: folder, groupId: low, role: 'manager' })
    expect(await rolesIn()).toEqual({ [ann.email]: 'manager' })
    expect((await user.client.call(removeFolderGroup, { id: folder, groupId: low })).status).toBe(200)
    expect(await rolesIn()).toEqual({ [ann.email]: 'editor' })
    expect((await user.client.call(removeFolderGroup, { id: folder, groupId: low })).status).toBe(404)
    await setPeople(high, [])
    expect(await rolesIn()).toEqual({})
  })

  it('keeps a role that was given to a person alone, whatever the groups say', async () => {
    await addTestMember(app, user, folder, 'viewer', bob)
    const id = await makeGroup([ann, bob])
    await share(id, 'editor')
    expect(await rolesIn()).toEqual({ [bob.email]: 'viewer', [ann.email]: 'editor' })
    const memberId = (await user.client.call(listMembers, { id: folder })).body.members.find(
      ({ email }) => email === ann.email,
    )?.id as string
    await user.client.call(changeMember, { id: folder, memberId, role: 'contributor' })
    await user.client.call(changeFolderGroup, { id: folder, groupId: id, role: 'manager' })
    await user.client.call(removeFolderGroup, { id: folder, groupId: id })
    expect(await rolesIn()).toEqual({ [bob.email]: 'viewer', [ann.email]: 'contributor' })
  })

  it('doesn’t invite again who has left or declined', async () => {
    const id = await makeGroup([ann])
    await share(id)
    await acceptAll(ann)
    const { memberId } = (await ann.client.call(listSharedWithMe, {})).body.folders[0] as { memberId: string }
    await ann.client.call(removeMember, { id: folder, memberId })
    await setPeople(id, [ann, bob])
    await user.client.call(changeFolderGroup, { id: folder, groupId: id, role: 'editor' })
    expect(await rolesIn()).toEqual({ [bob.email]: 'editor' })
  })

  it('discards unfinished uploads of those who may add nothing any more', async () => {
    const id = await makeGroup([ann, bob])
    await share(id, 'editor')
    for (const who of [ann, bob]) {
      await acceptAll(who)
      const chunk = {
        uploadId: randomUUID(),
        filename: 'a',
        chunkIndex: 0,
        totalChunks: 2,
        totalSize: 2,
        folderId: folder,
      }
      expect((await who.client.sendChunk(chunk, 'x')).status).toBe(200)
    }
    const open = async () =>
      (await app.services.db.selectFrom('uploads').select('id').where('owner_id', '=', user.id).execute()).length
    await setPeople(id, [bob])
    expect(await open()).toBe(1)
    await user.client.call(changeFolderGroup, { id: folder, groupId: id, role: 'viewer' })
    expect(await open()).toBe(0)
    const lines: string[] = []
    expect(await checkCounters(app.services.db, (line) => lines.push(line)), lines.join('\n')).toBe(0)
  })

  it('can be shared by a manager with an own group, whose people stay when the manager goes', async () => {
    const manager = await addTestMember(app, user, folder, 'manager')
    const id = await makeGroup([ann], 'Mine', manager)
    expect((await share(id, 'viewer', folder, user)).status).toBe(404)
    expect((await share(id, 'viewer', folder, manager)).status).toBe(201)
    expect((await user.client.call(listMembers, { id: folder })).body.groups).toEqual([])
    expect((await user.client.call(changeFolderGroup, { id: folder, groupId: id, role: 'editor' })).status).toBe(404)
    await user.client.call(changeMember, { id: folder, memberId: manager.memberId, role: 'editor' })
    await manager.client.call(updateGroup, { id, emails: [bob.email] })
    expect(await rolesIn()).toEqual({ [manager.email]: 'editor', [ann.email]: 'viewer' })
    expect((await manager.client.call(removeFolderGroup, { id: folder, groupId: id })).status).toBe(403)
  })

  it('misses nobody who joins the group while it is being shared', async () => {
    const id = await makeGroup([ann])
    const all = await Promise.all([share(id), setPeople(id, [ann, bob])])
    expect(all.map(({ status }) => status)).toEqual([201, 200])
    expect(await rolesIn()).toEqual({ [ann.email]: 'viewer', [bob.email]: 'viewer' })
  })

  it('is refused if it would have too many members, without inviting anybody', async () => {
    await app.services.db
      .insertInto('members')
      .values(
        Array.from({ length: MAX_MEMBERS - 1 }, () => ({
          ...{ id: randomUUID(), folder_id: folder, owner_id: user.id, user_id: null, email: newAddress() },
          ...{ role: 'viewer' as const, invited_by: user.id, created_at: 0, accepted_at: null },
        })),
      )
      .execute()
    const id = await makeGroup([ann, bob])
    expect(await share(id)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('at most 500 people') },
    })
    expect((await user.client.call(listMembers, { id: folder })).body.groups).toEqual([])
    expect((await share(await makeGroup([ann]))).status).toBe(201)
  })

  it('counts each person toward the limit of invitations', async () => {
    const limited = await createTestApp({ rateLimits: true })
    try {
      const inviter = await limited.createUser()
      const { id } = (await inviter.client.call(createGroup, { name: 'x', emails: [newAddress(), newAddress()] })).body
      const place = (await inviter.client.call(createFolder, { folderName: 'Trip' })).body.id
      await limited.services.rateLimits.consume('invitations', INVITATIONS, inviter.id, INVITATIONS.points - 1)
      const invite = () => inviter.client.call(inviteMember, { id: place, groupId: id, role: 'viewer' })
      expect((await invite()).status).toBe(429)
      expect((await inviter.client.call(listMembers, { id: place })).body).toMatchObject({ members: [], groups: [] })
    } finally {
      await limited.close()
    }
  })

  it('needs either an address or a group', async () => {
    for (const input of [{}, { email: ann.email, groupId: randomUUID() }]) {
      const { status, body } = await user.client.raw(inviteMember, { id: folder, role: 'viewer', ...input })
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'Send either email or groupId.' })
    }
    expect((await share(randomUUID())).status).toBe(404)
  })
})
