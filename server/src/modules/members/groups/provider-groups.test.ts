import { deleteAccount, getDataUrl, login } from '@alcove/contract/accounts'
import { removeProvider, saveProvider } from '@alcove/contract/admin-sign-in'
import { suspendUser, unsuspendUser } from '@alcove/contract/admin-users'
import { createFolder, getFolder } from '@alcove/contract/files'
import {
  changeFolderGroup,
  createGroup,
  deleteGroup,
  listGroups,
  removeFolderGroup,
  updateGroup,
} from '@alcove/contract/groups'
import { MAX_MEMBERS } from '@alcove/contract/limits'
import {
  acceptHandOver,
  acceptInvitation,
  inviteMember,
  listMembers,
  listSharedWithMe,
  offerHandOver,
} from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import {
  type ConfiguredProvider,
  finishForAccount,
  finishSignIn,
  getSignInMethods,
  startLink,
  startSignIn,
  unlinkIdentity,
} from '@alcove/contract/single-sign-on'
import { beginTwoFactor, enableTwoFactor, loginWithCode } from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readZip } from '../../../testing/clients/zip.ts'
import { OIDC_CLIENT, type OidcEngine, startOidcProvider } from '../../../testing/engines/oidc-engine.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { providerAt } from '../../../testing/factories/providers.ts'
import { addTestMember } from '../../../testing/factories/shares.ts'
import { TEST_PASSWORD } from '../../../testing/factories/users.ts'
import { sweepProviderGroups } from './follow-providers.ts'

let provider: OidcEngine
let app: TestApp
beforeAll(async () => {
  provider = await startOidcProvider('http://localhost:5100')
})
afterAll(() => provider.stop())
afterEach(() => app.close())
const open = async (settings: Partial<ConfiguredProvider> = { groups: ['*'] }) => {
  app = await createTestApp({ oidcProviders: [providerAt(provider.issuer, settings)] })
}
beforeEach(() => open())

interface Person {
  name: string
  email: string
  client: TestClient
}

const emailOf = (name: string) => `${name}@example.com`

function setGroups(name: string, groups: unknown, claims: Record<string, unknown> = {}): void {
  provider.setPerson(name, {
    email: emailOf(name),
    email_verified: true,
    ...(groups !== undefined && { groups }),
    ...claims,
  })
}

async function finish(name: string) {
  const { body } = await app.visitor.call(startSignIn, { provider: 'keycloak' })
  const { search } = await provider.visit(body.url, name)
  return app.visitor.call(finishSignIn, { provider: 'keycloak', query: search.slice(1), secret: body.secret })
}

/** Signs a person in whom the provider puts into these groups. */
async function signIn(name: string, groups: unknown, claims: Record<string, unknown> = {}): Promise<Person> {
  setGroups(name, groups, claims)
  const { body } = await finish(name)
  if (body.result !== 'signed_in') throw new Error(JSON.stringify(body))
  return { name, email: body.email, client: new TestClient(app.app, body.token) }
}

const groupsOf = async ({ client }: Pick<Person, 'client'>) => (await client.call(listGroups, {})).body
const namesOf = async (person: Pick<Person, 'client'>) => (await groupsOf(person)).map(({ name }) => name)
const idOf = async (person: Person, name: string) =>
  (await groupsOf(person)).find((group) => group.name === name)?.id as string
const makeFolder = async ({ client }: Pick<Person, 'client'>, folderName = 'Trip') =>
  (await client.call(createFolder, { folderName })).body.id
const share = ({ client }: Person, id: string, groupId: string, role: Role = 'viewer') =>
  client.call(inviteMember, { id, groupId, role })
const rolesIn = async ({ client }: Pick<Person, 'client'>, id: string) =>
  Object.fromEntries((await client.call(listMembers, { id })).body.members.map(({ email, role }) => [email, role]))
const canRead = async ({ client }: Person, id: string) => (await client.call(getFolder, { id })).status === 200

async function acceptAll({ client }: Person): Promise<void> {
  for (const { id } of (await client.call(listSharedWithMe, {})).body.invitations) {
    expect((await client.call(acceptInvitation, { id })).status).toBe(200)
  }
}

/** Shares a folder of Ann with her group `staff`, in which Bob is too, and lets him accept. */
async function shareWithStaff(role: Role = 'viewer') {
  const ann = await signIn('ann', ['staff'])
  const bob = await signIn('bob', ['staff'])
  const folder = await makeFolder(ann)
  const groupId = await idOf(ann, 'staff')
  expect((await share(ann, folder, groupId, role)).status).toBe(201)
  await acceptAll(bob)
  expect(await canRead(bob, folder)).toBe(true)
  return { ann, bob, folder, groupId }
}

describe('groups of a sign-in provider', () => {
  it('are seen by the people in them, with the number of people but without addresses', async () => {
    const ann = await signIn('ann', ['staff', 'Board'])
    const bob = await signIn('bob', ['staff'])
    await ann.client.call(createGroup, { name: 'Friends', emails: ['x@example.com'] })
    expect(await groupsOf(ann)).toMatchObject([
      { name: 'Board', provider: 'Keycloak', emails: [], peopleCount: 1 },
      { name: 'Friends', provider: null, emails: ['x@example.com'], peopleCount: 1 },
      { name: 'staff', provider: 'Keycloak', emails: [], peopleCount: 2, folderCount: 0 },
    ])
    expect(await namesOf(bob)).toEqual(['staff'])
    expect(await groupsOf(await app.createUser())).toEqual([])
  })

  it('don’t exist by default, and only those that the setting names otherwise', async () => {
    await app.close()
    await open({})
    expect(await namesOf(await signIn('ann', ['staff']))).toEqual([])
    await app.close()
    await open({ groups: ['team-*', 'staff'] })
    const names = await namesOf(await signIn('ann', ['team-red', 'staff', 'secret', '', 7, 'x\u0000', { a: 1 }]))
    expect(names).toEqual(['staff', 'team-red'])
  })

  it('can’t be changed here by those who are in them, and are unknown to all others', async () => {
    const ann = await signIn('ann', ['staff'])
    const other = await signIn('other', ['else'])
    const id = await idOf(ann, 'staff')
    for (const attempt of [
      (by: Person) => by.client.call(updateGroup, { id, name: 'Mine' }),
      (by: Person) => by.client.call(updateGroup, { id, emails: [] }),
      (by: Person) => by.client.call(deleteGroup, { id }),
    ]) {
      expect(await attempt(ann)).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining('comes from Keycloak') },
      })
      expect((await attempt(other)).status).toBe(404)
    }
    const folder = await makeFolder(other)
    expect((await share(other, folder, id)).status).toBe(404)
    expect((await other.client.call(removeFolderGroup, { id: folder, groupId: id })).status).toBe(404)
    expect(await namesOf(ann)).toEqual(['staff'])
  })

  it('follow what the provider says at each sign-in, and end for who is in none any more', async () => {
    let ann = await signIn('ann', ['a', 'b'])
    ann = await signIn('ann', ['b', 'c'])
    expect(await namesOf(ann)).toEqual(['b', 'c'])
    ann = await signIn('ann', 'a')
    expect(await namesOf(ann)).toEqual(['a'])
    ann = await signIn('ann', undefined)
    expect(await namesOf(ann)).toEqual([])
  })

  it('stay as they are if Microsoft Entra leaves them out because they are too many', async () => {
    await signIn('ann', ['staff'])
    const entra = await startOidcProvider('http://localhost:5100', {
      configuration: {
        claims: { email: ['email', 'email_verified'], profile: ['groups', '_claim_names', '_claim_sources'] },
      },
    })
    await app.close()
    try {
      app = await createTestApp({ oidcProviders: [providerAt(entra.issuer, { groups: ['*'] })] })
      const claims = { email: 'ann@example.com', email_verified: true }
      const enter = async (more: object) => {
        entra.setPerson('ann', { ...claims, ...more })
        const { body } = await app.visitor.call(startSignIn, { provider: 'keycloak' })
        const { search } = await entra.visit(body.url, 'ann')
        const query = search.slice(1)
        const done = await app.visitor.call(finishSignIn, { provider: 'keycloak', query, secret: body.secret })
        if (done.body.result !== 'signed_in') throw new Error(JSON.stringify(done.body))
        return { client: new TestClient(app.app, done.body.token) }
      }
      expect(await namesOf(await enter({ groups: ['staff'] }))).toEqual(['staff'])
      const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph' } } }
      expect(await namesOf(await enter(overage))).toEqual(['staff'])
      expect(await namesOf(await enter({}))).toEqual([])
    } finally {
      await entra.stop()
    }
  })

  it('have the people of the last sign-in if there are many at the same time', async () => {
    const people = Array.from({ length: 6 }, (_, number) => `person-${number}`)
    await Promise.all(people.map((name, at) => signIn(name, at % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'b', 'a'])))
    const [first] = await Promise.all(people.map((name) => signIn(name, ['b', 'd'])))
    expect(await groupsOf(first as Person)).toMatchObject([
      { name: 'b', peopleCount: 6 },
      { name: 'd', peopleCount: 6 },
    ])
    setGroups('person-0', ['d'])
    await Promise.all([finish('person-0'), finish('person-0'), finish('person-0')])
    expect(await namesOf(first as Person)).toEqual(['d'])
    const rows = await app.services.db.selectFrom('people_groups').select('name').execute()
    expect(rows.map(({ name }) => name).sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('don’t come back with an older sign-in that was only finished later', async () => {
    const ann = await signIn('ann', ['staff', 'board'])
    const begun = (await ann.client.call(beginTwoFactor, {})).body
    const totp = new TOTP({ secret: begun.secret })
    const code = () => totp.generate({ timestamp: app.services.clock.now() })
    expect((await ann.client.call(enableTwoFactor, { code: code() })).status).toBe(200)
    const older = (await finish('ann')).body
    // The provider says to the second when it said something.
    const second = () => Math.floor(Date.now() / 1000)
    const before = second()
    await expect.poll(second).toBeGreaterThan(before)
    setGroups('ann', ['staff'])
    const newer = (await finish('ann')).body
    for (const body of [newer, older]) {
      if (body.result !== 'code_required') throw new Error(JSON.stringify(body))
      app.clock.advance(30_000)
      const { challenge, ticket } = body
      expect((await app.visitor.call(loginWithCode, { challenge, ticket, code: code() })).status).toBe(200)
      expect(await namesOf(ann)).toEqual(['staff'])
    }
  })

  it('are not those of another provider that has groups of the same name', async () => {
    const ann = await signIn('ann', ['staff'])
    await app.services.db
      .insertInto('people_groups')
      .values({ id: 'other', owner_id: null, provider: 'other', issuer: 'https://x', name: 'staff', created_at: 1 })
      .execute()
    expect(await groupsOf(ann)).toMatchObject([{ name: 'staff', provider: 'Keycloak' }])
    expect(await groupsOf(await signIn('ann', []))).toEqual([])
  })

  it('are in the exported data of those who are in them', async () => {
    const ann = await signIn('ann', ['staff'])
    const { pathname, search } = new URL((await ann.client.call(getDataUrl, {})).body.url)
    const { bytes } = await app.visitor.request({ method: 'GET', url: pathname + search })
    const details = JSON.parse((await readZip(bytes)).get('account.json')?.toString() ?? '')
    expect(details.groups).toEqual([{ name: 'staff', provider: 'keycloak' }])
  })
})

describe('a folder that is shared with a group of a provider', () => {
  it('invites everyone in it, is marked for its owner, and gets and loses people with the group', async () => {
    const { ann, bob, folder, groupId } = await shareWithStaff('editor')
    expect((await ann.client.call(listMembers, { id: folder })).body).toMatchObject({
      groups: [{ id: groupId, name: 'staff', provider: 'Keycloak', role: 'editor' }],
      members: [{ email: bob.email, role: 'editor', groupId }],
    })
    expect((await bob.client.call(listMembers, { id: folder })).body).toMatchObject({
      groups: [],
      members: [{ email: bob.email, groupId: null }],
    })
    const cyd = await signIn('cyd', ['staff'])
    expect((await cyd.client.call(listSharedWithMe, {})).body.invitations).toMatchObject([{ folderName: 'Trip' }])
    await app.services.jobs.runDue()
    expect((await app.readMails()).filter((mail) => mail.includes(`To: ${cyd.email}`))).toHaveLength(1)
    await acceptAll(cyd)
    expect(await canRead(cyd, folder)).toBe(true)
    await signIn('bob', [])
    expect(await canRead(bob, folder)).toBe(false)
    expect(await rolesIn(ann, folder)).toEqual({ [cyd.email]: 'editor' })
    await signIn('cyd', ['renamed'])
    expect(await canRead(cyd, folder)).toBe(false)
    expect(await groupsOf(ann)).toMatchObject([{ name: 'staff', peopleCount: 1, folderCount: 1 }])
  })

  it('knows people by their account, so another address changes nothing', async () => {
    const { ann, bob, folder } = await shareWithStaff()
    const cyd = await signIn('cyd', ['staff'])
    const move = (from: string, to: string) =>
      app.services.db.updateTable('users').set({ email: to }).where('email', '=', from).execute()
    await move(bob.email, 'robert@example.com')
    await move(cyd.email, 'moved@example.com')
    // Somebody else gets the address to which the invitation was sent.
    const heir = await app.createUser({ email: cyd.email })
    await signIn('dora', ['staff'])
    expect(await canRead(bob, folder)).toBe(true)
    expect((await heir.client.call(listSharedWithMe, {})).body.invitations).toEqual([])
    const [invitation] = (await cyd.client.call(listSharedWithMe, {})).body.invitations
    expect((await heir.client.call(acceptInvitation, { id: invitation?.id ?? '' })).status).toBe(404)
    await acceptAll(cyd)
    expect(await canRead(cyd, folder)).toBe(true)
    setGroups('bob', [])
    await finish('bob')
    expect(await canRead(bob, folder)).toBe(false)
    expect(Object.keys(await rolesIn(ann, folder)).sort()).toEqual(['dora@example.com', 'moved@example.com'])
  })

  it('is kept by who has it by another group or alone', async () => {
    const { ann, bob, folder } = await shareWithStaff('editor')
    const own = (await ann.client.call(createGroup, { name: 'Own', emails: [bob.email] })).body.id
    expect((await share(ann, folder, own, 'viewer')).status).toBe(201)
    expect(await rolesIn(ann, folder)).toEqual({ [bob.email]: 'editor' })
    await signIn('bob', [])
    expect(await rolesIn(ann, folder)).toEqual({ [bob.email]: 'viewer' })
    expect(await canRead(bob, folder)).toBe(true)
  })

  it('changes and ends with the group’s role, also after its owner has left the group', async () => {
    const { ann, bob, folder, groupId } = await shareWithStaff()
    await signIn('ann', [])
    expect((await ann.client.call(changeFolderGroup, { id: folder, groupId, role: 'editor' })).status).toBe(200)
    expect(await rolesIn(ann, folder)).toEqual({ [bob.email]: 'editor' })
    expect((await share(ann, await makeFolder(ann, 'Another'), groupId)).status).toBe(404)
    expect((await ann.client.call(removeFolderGroup, { id: folder, groupId })).status).toBe(200)
    expect(await canRead(bob, folder)).toBe(false)
    expect((await ann.client.call(removeFolderGroup, { id: folder, groupId })).status).toBe(404)
  })

  it('can be shared with such a group only by its owner', async () => {
    const ann = await signIn('ann', ['staff'])
    const host = await app.createUser()
    const folder = await makeFolder(host)
    await addTestMember(app, host, folder, 'manager', { ...host, client: ann.client, email: ann.email })
    const groupId = await idOf(ann, 'staff')
    expect(await share(ann, folder, groupId)).toMatchObject({
      status: 403,
      body: { error: 'Only the owner of a folder can share it with a group of a sign-in provider.' },
    })
    for (const call of [changeFolderGroup, removeFolderGroup]) {
      expect((await ann.client.raw(call, { id: folder, groupId, role: 'viewer' })).status).toBe(404)
    }
  })

  it('is lost by who may not sign in any more, because of the groups', async () => {
    await app.close()
    await open({ groups: ['*'], allowedGroups: ['staff'] })
    const { bob, folder } = await shareWithStaff()
    setGroups('bob', ['others'])
    expect((await finish('bob')).status).toBe(403)
    expect(await canRead(bob, folder)).toBe(false)
  })

  it('misses nobody who signs in while it is being shared', async () => {
    const ann = await signIn('ann', ['staff'])
    const folders = await Promise.all(['1', '2', '3'].map((name) => makeFolder(ann, name)))
    const groupId = await idOf(ann, 'staff')
    const people = ['bob', 'cyd', 'dora']
    await Promise.all([
      ...folders.map(async (folder) => expect((await share(ann, folder, groupId)).status).toBe(201)),
      ...people.map((name) => signIn(name, ['staff'])),
    ])
    for (const folder of folders) {
      expect(Object.keys(await rolesIn(ann, folder)).sort()).toEqual(people.map(emailOf))
    }
  })

  it('lets people sign in although it is full, and invites them to the others', async () => {
    const { ann, folder, groupId } = await shareWithStaff()
    const other = await makeFolder(ann, 'Other')
    await share(ann, other, groupId)
    const { id: ownerId } = await app.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', ann.email)
      .executeTakeFirstOrThrow()
    await app.services.db
      .insertInto('members')
      .values(
        Array.from({ length: MAX_MEMBERS - 1 }, (_, number) => ({
          ...{ id: `m${number}`, folder_id: folder, owner_id: ownerId, user_id: null, email: `m${number}@example.com` },
          ...{ role: 'viewer' as const, invited_by: ownerId, created_at: 0, accepted_at: null },
        })),
      )
      .execute()
    const cyd = await signIn('cyd', ['staff'])
    expect((await cyd.client.call(listSharedWithMe, {})).body.invitations).toMatchObject([{ folderName: 'Other' }])
  })

  it('keeps the people but not the group if somebody outside the group becomes its owner', async () => {
    const { ann, bob, folder } = await shareWithStaff()
    const heir = await addTestMember(
      app,
      { ...(await app.createUser()), client: ann.client, email: ann.email },
      folder,
      'editor',
    )
    await ann.client.call(offerHandOver, { id: folder, memberId: heir.memberId })
    expect((await heir.client.call(acceptHandOver, { id: folder })).status).toBe(200)
    const { groups, members } = (await heir.client.call(listMembers, { id: folder })).body
    expect(groups).toEqual([])
    expect(members.find(({ email }) => email === bob.email)).toMatchObject({ role: 'viewer', groupId: null })
  })
})

describe('the memberships of an account', () => {
  it('end when it is unlinked from the provider', async () => {
    const { ann, bob, folder } = await shareWithStaff()
    await app.services.db
      .updateTable('users')
      .set({ password_hash: (await ownPasswordHash()) ?? '' })
      .where('email', '=', bob.email)
      .execute()
    const [identity] = (await bob.client.call(getSignInMethods, {})).body.identities
    expect((await bob.client.call(unlinkIdentity, { id: identity?.id ?? '' })).status).toBe(200)
    expect(await groupsOf(bob)).toEqual([])
    expect(await canRead(bob, folder)).toBe(false)
    expect(await groupsOf(ann)).toMatchObject([{ peopleCount: 1 }])
  })

  it('begin when it is linked to the provider', async () => {
    const user = await app.createUser()
    setGroups('zoe', ['staff'])
    const { body } = await user.client.call(startLink, { provider: 'keycloak' })
    const { search } = await provider.visit(body.url, 'zoe')
    const query = search.slice(1)
    await user.client.call(finishForAccount, { provider: 'keycloak', query, secret: body.secret })
    expect(await namesOf(user)).toEqual(['staff'])
  })

  it('end when it is suspended, and come back with the next sign-in', async () => {
    const { ann, bob, folder } = await shareWithStaff()
    const admin = await app.createUser({ isAdmin: true })
    const { id } = await app.services.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', bob.email)
      .executeTakeFirstOrThrow()
    expect((await admin.client.call(suspendUser, { id })).status).toBe(200)
    await app.services.jobs.runDue()
    expect(await groupsOf(ann)).toMatchObject([{ peopleCount: 1 }])
    expect(await rolesIn(ann, folder)).toEqual({})
    await admin.client.call(unsuspendUser, { id })
    const again = await signIn('bob', ['staff'])
    await acceptAll(again)
    expect(await canRead(again, folder)).toBe(true)
  })

  it('end when it is deleted, open invitations included', async () => {
    const { ann, bob, folder } = await shareWithStaff()
    const cyd = await signIn('cyd', ['staff'])
    for (const { client } of [bob, cyd]) expect((await client.call(deleteAccount, {})).status).toBe(200)
    expect(await groupsOf(ann)).toMatchObject([{ peopleCount: 1 }])
    expect(await rolesIn(ann, folder)).toEqual({})
    expect(await app.services.db.selectFrom('members').select('id').execute()).toEqual([])
  })
})

describe('the groups of a provider that changes', () => {
  beforeEach(async () => {
    await app.close()
    app = await createTestApp()
    const admin = await app.createUser({ isAdmin: true })
    save = (settings) =>
      admin.client.call(saveProvider, {
        ...{ name: 'keycloak', label: 'Keycloak', issuer: provider.issuer, clientId: OIDC_CLIENT.id },
        ...{ clientSecret: OIDC_CLIENT.secret, newAccounts: 'everyone', ...settings },
      })
    remove = () => admin.client.call(removeProvider, { name: 'keycloak' })
    expect((await save({ groups: ['*'] })).status).toBe(200)
  })
  let save: (settings: { groups: string[] }) => Promise<{ status: number }>
  let remove: () => Promise<{ status: number }>

  it('end with what came by them when it is removed', async () => {
    const { ann, bob, folder } = await shareWithStaff()
    expect((await remove()).status).toBe(200)
    expect(await canRead(bob, folder)).toBe(false)
    expect(await rolesIn(ann, folder)).toEqual({})
    expect(await groupsOf(ann)).toEqual([])
    await save({ groups: ['*'] })
    const back = await signIn('bob', ['staff'])
    await acceptAll(back)
    expect(await canRead(back, folder)).toBe(true)
  })

  it('end if its setting names them no more, and the others stay', async () => {
    const { ann, bob, folder } = await shareWithStaff()
    await signIn('bob', ['staff', 'board'])
    await save({ groups: ['board', 'x*'] })
    expect(await canRead(bob, folder)).toBe(false)
    expect(await namesOf(bob)).toEqual(['board'])
    expect(await namesOf(ann)).toEqual([])
  })

  it('are deleted if nobody is in them and nothing is shared with them', async () => {
    const { bob, folder, ann } = await shareWithStaff()
    await signIn('bob', ['board'])
    await signIn('ann', ['board'])
    await signIn('ann', [])
    await signIn('bob', [])
    await sweepProviderGroups(app.services)
    const rows = await app.services.db.selectFrom('people_groups').select('name').execute()
    expect(rows).toEqual([{ name: 'staff' }])
    const back = await signIn('bob', ['staff'])
    await acceptAll(back)
    expect(await rolesIn(ann, folder)).toEqual({ [bob.email]: 'viewer' })
  })
})

/** Returns the hash of the password of test users. */
async function ownPasswordHash() {
  const user = await app.createUser()
  expect((await app.visitor.call(login, { email: user.email, password: TEST_PASSWORD })).status).toBe(200)
  const row = await app.services.db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', user.id)
    .executeTakeFirst()
  return row?.password_hash
}
