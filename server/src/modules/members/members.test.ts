import { randomUUID } from 'node:crypto'
import { activate, deleteAccount, login, register, updateEmail } from '@alcove/contract/accounts'
import { createFolder, getFolder, moveFolder, trashFolder } from '@alcove/contract/files'
import { MAX_MEMBERS, MAX_SHARED_FOLDERS } from '@alcove/contract/limits'
import {
  acceptInvitation,
  changeMember,
  declineInvitation,
  getMember,
  inviteMember,
  listMembers,
  listSharedWithMe,
  removeMember,
} from '@alcove/contract/members'
import { listNotices, updateNoticeSettings } from '@alcove/contract/notices'
import type { Role } from '@alcove/contract/roles'
import { restoreFolder } from '@alcove/contract/trash'
import { beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../testing/clients/client.ts'
import { createTestApp } from '../../testing/engines/test-app.ts'
import { app, makeFolder, setUpDrive, user } from '../../testing/factories/drive.ts'
import { addMember } from '../../testing/factories/owned-resources.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import { TEST_PASSWORD, type TestUser } from '../../testing/factories/users.ts'
import { invitationMail } from './invitation-mail.ts'
import { INVITATIONS } from './may-invite.ts'

setUpDrive()

let folder: string
beforeEach(async () => {
  folder = (await makeFolder('Trip')).id
})

const newAddress = () => `${randomUUID()}@example.com`
const invite = (email: string, role: Role = 'viewer', by: TestUser = user, id = folder) =>
  by.client.call(inviteMember, { id, email, role })
const sharedWith = async ({ client }: Pick<TestUser, 'client'>) => (await client.call(listSharedWithMe, {})).body
const membersFor = async ({ client }: TestUser, id = folder) => (await client.call(listMembers, { id })).body.members
const mailTo = async (email: string) => (await app.readMails()).filter((mail) => mail.includes(`To: ${email}`)).at(-1)

describe('an invitation', () => {
  it('is seen and accepted by the user with that address', async () => {
    const guest = await app.createUser()
    const { status, body } = await invite(guest.email.toUpperCase(), 'editor')
    expect(status).toBe(201)
    expect(body).toMatchObject({ email: guest.email, displayName: null, role: 'editor', acceptedAt: null })
    expect((await guest.client.call(getFolder, { id: folder })).status).toBe(404)
    const owner = { email: user.email, displayName: null }
    expect(await sharedWith(guest)).toMatchObject({
      folders: [],
      invitations: [{ id: body.id, folderName: 'Trip', role: 'editor', owner }],
    })
    await user.client.upload('a.txt', 'a', { folderId: folder })
    const accepted = await guest.client.call(acceptInvitation, { id: body.id })
    const shared = { id: folder, memberId: body.id, name: 'Trip', role: 'editor', owner, itemCount: 1 }
    expect(accepted).toMatchObject({ status: 200, body: shared })
    expect(await sharedWith(guest)).toMatchObject({ folders: [shared], invitations: [] })
    expect((await guest.client.call(getFolder, { id: folder })).body.files).toHaveLength(1)
  })

  it('is accepted once, however often and however concurrently', async () => {
    const guest = await app.createUser()
    const { id } = (await invite(guest.email)).body
    const all = await Promise.all([1, 2, 3].map(() => guest.client.call(acceptInvitation, { id })))
    app.clock.advance(1000)
    all.push(await guest.client.call(acceptInvitation, { id }))
    expect(new Set(all.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    expect(all[0]?.status).toBe(200)
  })

  it('is gone once it is declined or taken back', async () => {
    const guest = await app.createUser()
    const { id } = (await invite(guest.email)).body
    expect((await guest.client.call(declineInvitation, { id })).status).toBe(200)
    expect((await guest.client.call(declineInvitation, { id })).status).toBe(404)
    const again = (await invite(guest.email)).body.id
    await user.client.call(removeMember, { id: folder, memberId: again })
    expect((await guest.client.call(acceptInvitation, { id: again })).status).toBe(404)
    expect(await sharedWith(guest)).toEqual({ folders: [], invitations: [] })
  })

  it('can’t be declined after it was accepted', async () => {
    const guest = await addTestMember(app, user, folder, 'viewer')
    expect((await guest.client.call(declineInvitation, { id: guest.memberId })).status).toBe(404)
  })

  it('is for nobody whose address isn’t confirmed', async () => {
    const email = newAddress()
    const claimant = await app.createUser({ email, isActivated: false })
    const { id } = (await invite(email)).body
    expect(await sharedWith(claimant)).toEqual({ folders: [], invitations: [] })
    for (const call of [acceptInvitation, declineInvitation]) {
      expect((await claimant.client.call(call, { id })).status).toBe(404)
    }
    const changed = await app.createUser()
    const other = newAddress()
    const { id: otherId } = (await invite(other)).body
    await changed.client.call(updateEmail, { email: changed.email, newEmail: other, password: TEST_PASSWORD })
    expect((await changed.client.call(acceptInvitation, { id: otherId })).status).toBe(404)
    expect((await sharedWith(changed)).invitations).toEqual([])
  })

  it('waits for someone who signs up after it', async () => {
    const email = newAddress()
    await invite(email, 'contributor')
    const mail = (await mailTo(email)) as string
    expect(mail).toContain('/register')
    expect(mail).not.toContain('/shared-with-me')
    await app.visitor.call(register, { email, password: TEST_PASSWORD })
    const [, token] = /token=([\w-]+)/.exec((await mailTo(email)) as string) ?? []
    expect((await app.visitor.call(activate, { token: token as string, password: TEST_PASSWORD })).status).toBe(200)
    const { token: session } = (await app.visitor.raw<{ token: string }>(login, { email, password: TEST_PASSWORD }))
      .body
    const { invitations } = await sharedWith({ client: new TestClient(app.app, session) })
    expect(invitations).toMatchObject([{ folderName: 'Trip', role: 'contributor' }])
  })

  it('sends someone with an account a mail that leads to it', async () => {
    const guest = await app.createUser()
    await invite(guest.email)
    expect(await mailTo(guest.email)).toContain('/shared-with-me')
  })

  it('is a notice to someone with an account, and no mail if they turned that off', async () => {
    const guest = await app.createUser()
    await guest.client.call(updateNoticeSettings, { mail: { share_offered: false } })
    await invite(guest.email, 'editor')
    const { notices } = (await guest.client.call(listNotices, {})).body
    expect(notices.map(({ kind, data }) => ({ kind, data }))).toEqual([
      { kind: 'share_offered', data: { folder: 'Trip', from: user.email, role: 'editor' } },
    ])
    expect(await mailTo(guest.email)).toBeUndefined()
  })

  it('of a deleted owner or to a folder in the trash doesn’t work', async () => {
    const guest = await app.createUser()
    const { id } = (await invite(guest.email)).body
    await user.client.call(trashFolder, { id: folder })
    expect((await guest.client.call(acceptInvitation, { id })).status).toBe(404)
    expect((await sharedWith(guest)).invitations).toEqual([])
    await user.client.call(restoreFolder, { id: folder })
    expect((await sharedWith(guest)).invitations).toHaveLength(1)
    await user.client.call(deleteAccount, {})
    expect((await guest.client.call(acceptInvitation, { id })).status).toBe(404)
  })
})

describe('inviting', () => {
  it('is refused with the reason', async () => {
    const member = await addTestMember(app, user, folder, 'manager')
    const refusal = async (response: ReturnType<typeof invite>) => {
      const { status, body } = await response
      return [status, body.error]
    }
    expect(await refusal(invite(user.email))).toEqual([409, 'You can’t invite yourself.'])
    expect(await refusal(invite(user.email, 'viewer', member))).toEqual([409, 'This is the owner of the folder.'])
    const taken = [409, `${member.email} has been invited to this folder already.`]
    expect(await refusal(invite(member.email))).toEqual(taken)
    const vault = await makeFolder('Secret', undefined, true)
    expect(await refusal(invite(newAddress(), 'viewer', user, vault.id))).toEqual([
      409,
      'Vault folders can’t be shared with people, because the files can be read only with your passphrase.',
    ])
    const inner = await makeFolder('Inner', folder)
    expect(await refusal(invite(newAddress(), 'viewer', member, inner.id))).toEqual([
      403,
      'Only the owner can share a folder that lies inside a shared folder.',
    ])
    const unconfirmed = await app.createUser({ isActivated: false })
    const own = (await unconfirmed.client.call(createFolder, { folderName: 'Own' })).body.id
    expect(await refusal(invite(newAddress(), 'viewer', unconfirmed, own))).toEqual([
      403,
      'Confirm your email address before you invite people.',
    ])
    const file = await user.client.upload('a.txt', 'a')
    expect((await invite(newAddress(), 'viewer', user, file.id)).status).toBe(404)
    expect((await user.client.raw(inviteMember, { id: folder, email: 'nobody', role: 'viewer' })).status).toBe(400)
    expect((await user.client.raw(inviteMember, { id: folder, email: newAddress(), role: 'owner' })).status).toBe(400)
  })

  it('recognizes a member who has changed the address', async () => {
    const member = await addTestMember(app, user, folder, 'viewer')
    const email = newAddress()
    const { db } = app.services
    await db.updateTable('users').set({ email }).where('id', '=', member.id).execute()
    expect((await invite(email)).status).toBe(409)
    expect(await membersFor(user)).toMatchObject([{ email }])
  })

  it('adds someone once, and no more than the maximum, however many requests there are', async () => {
    const email = newAddress()
    const same = await Promise.all([1, 2, 3].map(() => invite(email)))
    expect(same.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const { db } = app.services
    const rows = Array.from({ length: MAX_MEMBERS - 3 }, () => ({
      ...{ id: randomUUID(), folder_id: folder, owner_id: user.id, user_id: null, email: newAddress() },
      ...({ role: 'viewer', invited_by: user.id, created_at: 1, accepted_at: null } as const),
    }))
    await db.insertInto('members').values(rows).execute()
    const last = await Promise.all([1, 2, 3, 4].map(() => invite(newAddress())))
    expect(last.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409])
    expect(await membersFor(user)).toHaveLength(MAX_MEMBERS)
  })

  it('is limited per user, because each invitation is a mail', async () => {
    const limited = await createTestApp({ rateLimits: true })
    try {
      const inviter = await limited.createUser()
      const { id } = (await inviter.client.call(createFolder, { folderName: 'f' })).body
      const statuses = new Set<number>()
      await limited.services.rateLimits.consume('invitations', INVITATIONS, inviter.id, INVITATIONS.points - 2)
      for (let sent = 0; sent < 4; sent++)
        statuses.add((await inviter.client.call(inviteMember, { id, email: newAddress(), role: 'viewer' })).status)
      expect([...statuses]).toEqual([201, 429])
    } finally {
      await limited.close()
    }
  })

  it('lets an owner share a folder inside a shared one. Both stay in the owner’s tree, so they can’t contain each other', async () => {
    const inner = await makeFolder('Inner', folder)
    const outerGuest = await addTestMember(app, user, folder, 'editor')
    const guest = await addTestMember(app, user, inner.id, 'viewer')
    expect((await guest.client.call(getFolder, { id: inner.id })).body).toMatchObject({ parentId: null, path: [] })
    expect((await guest.client.call(getFolder, { id: folder })).status).toBe(404)
    expect((await user.client.call(moveFolder, { folderId: folder, targetFolderId: inner.id })).status).toBe(409)
    expect((await outerGuest.client.call(moveFolder, { folderId: inner.id, targetFolderId: folder })).status).toBe(200)
    // A guest's own folder gets a copy and the shared one a copy of that, because they are in different trees.
    const own = (await outerGuest.client.call(createFolder, { folderName: 'Own' })).body.id
    const out = await outerGuest.client.call(moveFolder, { folderId: inner.id, targetFolderId: own })
    expect(out.body).toMatchObject({ name: 'Inner', parentId: own })
    const back = await outerGuest.client.call(moveFolder, { folderId: own, targetFolderId: folder })
    expect(back.body).toMatchObject({ name: 'Own', parentId: folder })
    expect((await guest.client.call(getFolder, { id: inner.id })).status).toBe(404)
  })
})

describe('managing members', () => {
  it('is for the owner and managers', async () => {
    const target = await addTestMember(app, user, folder, 'viewer')
    for (const role of ['viewer', 'contributor', 'editor'] as const) {
      const member = await addTestMember(app, user, folder, role)
      const ids = { id: folder, memberId: target.memberId }
      expect((await invite(newAddress(), 'viewer', member)).status).toBe(403)
      expect((await member.client.call(changeMember, { ...ids, role: 'editor' })).status).toBe(403)
      expect(
        (await member.client.call(changeMember, { ...ids, memberId: member.memberId, role: 'manager' })).status,
      ).toBe(403)
      expect((await member.client.call(removeMember, ids)).status).toBe(403)
    }
    const manager = await addTestMember(app, user, folder, 'manager')
    const ids = { id: folder, memberId: target.memberId }
    expect((await invite(newAddress(), 'manager', manager)).status).toBe(201)
    expect((await manager.client.call(changeMember, { ...ids, role: 'editor' })).body).toMatchObject({ role: 'editor' })
    expect((await user.client.call(getMember, ids)).body).toMatchObject({ role: 'editor', isYou: false })
    expect((await manager.client.call(removeMember, ids)).status).toBe(200)
    expect((await user.client.call(getMember, ids)).status).toBe(404)
    expect((await target.client.call(getFolder, { id: folder })).status).toBe(404)
  })

  it('shows owner and members to everyone, and open invitations to the owner and managers', async () => {
    const viewer = await addTestMember(app, user, folder, 'viewer')
    const manager = await addTestMember(app, user, folder, 'manager')
    const invited = (await invite(newAddress())).body.id
    expect(await membersFor(user)).toHaveLength(3)
    expect(await membersFor(manager)).toHaveLength(3)
    const { body } = await viewer.client.call(listMembers, { id: folder })
    expect(body).toMatchObject({ yourRole: 'viewer', owner: { email: user.email } })
    expect(body.members.map(({ email, isYou }) => [email, isYou])).toEqual([
      [viewer.email, true],
      [manager.email, false],
    ])
    expect((await viewer.client.call(getMember, { id: folder, memberId: invited })).status).toBe(404)
    expect((await manager.client.call(getMember, { id: folder, memberId: invited })).status).toBe(200)
  })

  it('lets each member leave, and nobody else', async () => {
    const member = await addTestMember(app, user, folder, 'viewer')
    const stranger = await app.createUser()
    const ids = { id: folder, memberId: member.memberId }
    expect((await stranger.client.call(removeMember, ids)).status).toBe(404)
    expect((await member.client.call(removeMember, ids)).body.message).toBe('You left the folder.')
    expect((await member.client.call(removeMember, ids)).status).toBe(404)
    expect(await sharedWith(member)).toEqual({ folders: [], invitations: [] })
  })

  it('needs the folder that the member belongs to', async () => {
    const member = await addTestMember(app, user, folder, 'viewer')
    const other = await makeFolder('Other')
    const ids = { id: other.id, memberId: member.memberId }
    for (const call of [getMember, removeMember]) expect((await user.client.call(call, ids)).status).toBe(404)
    expect((await user.client.call(changeMember, { ...ids, role: 'editor' })).status).toBe(404)
    expect((await member.client.call(getFolder, { id: folder })).status).toBe(200)
  })
})

describe('what is shared with a user', () => {
  it('is limited, and one can leave a folder to accept another', async () => {
    const guest = await app.createUser()
    const host = await app.createUser()
    const { db } = app.services
    const { drive_root_id } = await db
      .selectFrom('users')
      .select('drive_root_id')
      .where('id', '=', host.id)
      .executeTakeFirstOrThrow()
    const { id: first } = (await host.client.call(createFolder, { folderName: '0' })).body
    const template = await db.selectFrom('items').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
    const { media: _, ...row } = template as typeof template & { media: unknown }
    const rows = Array.from({ length: MAX_SHARED_FOLDERS - 1 }, (_unused, index) => ({
      ...{ ...row, id: randomUUID(), parent_id: drive_root_id, name: `${index + 1}`, sort_key: `${index + 1}` },
    }))
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('items')
        .values(rows.slice(at, at + 100))
        .execute()
    for (const { id } of [row, ...rows]) await addMember(app, host, id, { email: guest.email, userId: guest.id })
    const { id } = (await invite(guest.email)).body
    expect(await guest.client.call(acceptInvitation, { id })).toMatchObject({
      status: 409,
      body: { error: `At most ${MAX_SHARED_FOLDERS} folders can be shared with you. Leave one of them first.` },
    })
    const { folders } = await sharedWith(guest)
    expect(folders).toHaveLength(MAX_SHARED_FOLDERS)
    await guest.client.call(removeMember, { id: folders[0]?.id as string, memberId: folders[0]?.memberId as string })
    expect((await guest.client.call(acceptInvitation, { id })).status).toBe(200)
  })

  it('ends with the account of the member or of the owner', async () => {
    const member = await addTestMember(app, user, folder, 'viewer')
    const other = await addTestMember(app, user, folder, 'viewer')
    await member.client.call(deleteAccount, {})
    expect((await membersFor(user)).map(({ id }) => id)).toEqual([other.memberId])
    await user.client.call(deleteAccount, {})
    expect((await other.client.call(getFolder, { id: folder })).status).toBe(404)
    expect(await sharedWith(other)).toEqual({ folders: [], invitations: [] })
    expect(await app.services.db.selectFrom('members').select('id').where('owner_id', '=', user.id).execute()).toEqual(
      [],
    )
  })
})

describe('the mail about an invitation', () => {
  const inviter = { email: 'ann@example.com', displayName: 'Ann' }
  const given = {
    to: 'bo@example.com',
    publicUrl: 'http://localhost:5100',
    inviter,
    folderName: 'Trip',
    wayIn: 'account' as const,
    supportEmail: 'help@alcove.example',
  }

  it('names the folder, the person and what the role may do', () => {
    const { subject, text, link } = invitationMail({ ...given, role: 'contributor' })
    expect(subject).toBe('Ann shares a folder with you - Alcove')
    expect(text).toContain('Ann (ann@example.com)')
    expect(text.replaceAll('\n', ' ')).toContain(
      'You can view and download everything in it, and add files and folders.',
    )
    expect(link).toBe('http://localhost:5100/shared-with-me')
  })

  it('can’t be broken by names', () => {
    const displayName = 'Ann\r\nBcc: x@example.com\u202e'
    const mail = invitationMail({
      ...given,
      inviter: { ...inviter, displayName },
      folderName: '<b>x</b>\n\nhttp://evil.example',
      role: 'viewer',
    })
    expect(mail.subject).not.toMatch(/[\r\n\u202e]/)
    expect(mail.html).not.toContain('<b>x</b>')
  })
})
