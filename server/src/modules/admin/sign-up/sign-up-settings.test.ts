import { register } from '@alcove/contract/accounts'
import { changePlanSettings, getPlanSettings } from '@alcove/contract/admin-plans'
import { changeSignUpSettings, getSignUpSettings } from '@alcove/contract/admin-sign-up'
import { listAuditLog } from '@alcove/contract/audit'
import { createCheckoutSession, getDashboard, listPlans } from '@alcove/contract/billing'
import { getStorage } from '@alcove/contract/files'
import { GIGABYTE } from '@alcove/contract/limits'
import { listAudio } from '@alcove/contract/media'
import { beginTwoFactor, enableTwoFactor, getTwoFactor } from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { addAppPassword } from '../../../testing/factories/app-passwords.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'
import { followPlansSetting } from '../../billing/index.ts'

let app: TestApp
let admin: TestUser
beforeEach(async () => {
  app = await createTestApp()
  admin = await app.createUser({ isAdmin: true })
})
afterEach(() => app.close())

const signUp = (email: string) => app.visitor.raw(register, { email, password: TEST_PASSWORD })
const change = (settings: Record<string, unknown>) => admin.client.raw(changeSignUpSettings, settings)
const storageOf = async ({ client }: TestUser) => (await client.call(getStorage, {})).body
const userByEmail = (email: string) =>
  app.services.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

async function turnOnTwoFactor({ client }: TestUser): Promise<void> {
  const { secret } = (await client.call(beginTwoFactor, { password: TEST_PASSWORD })).body
  await client.call(enableTwoFactor, { code: new TOTP({ secret }).generate({ timestamp: app.clock.now() }) })
}

describe('sign-up', () => {
  it('is open to everyone until an administrator changes it', async () => {
    expect((await admin.client.call(getSignUpSettings, {})).body).toEqual({
      ...{ mode: 'open', domains: [], allowsSharedFolders: false },
      ...{ defaultPlanId: 0, defaultQuota: null, requireTwoFactor: false },
    })
    expect((await signUp('anyone@example.com')).status).toBe(201)
  })

  it.each([
    ['closed', 'Registration is closed.'],
    ['invite', 'You need an invitation to register.'],
  ])('is refused in the mode %s, whether or not the address has an account', async (mode, error) => {
    await change({ mode })
    for (const email of ['new@example.com', admin.email]) {
      expect(await signUp(email)).toMatchObject({ status: 403, body: { code: 'forbidden', error } })
    }
  })

  it('is limited to the addresses of domains, not of their subdomains', async () => {
    await change({ mode: 'domain', domains: ['Example.org', 'example.net', 'example.org'] })
    expect((await admin.client.call(getSignUpSettings, {})).body.domains).toEqual(['example.org', 'example.net'])
    expect((await signUp('a@example.org')).status).toBe(201)
    for (const email of ['a@example.com', 'a@mail.example.org', 'a@notexample.org']) {
      expect(await signUp(email)).toMatchObject({
        status: 403,
        body: { error: 'Only addresses of example.org or example.net can register.' },
      })
    }
  })

  it('opens for people who were invited to a shared folder if administrators allow it', async () => {
    await change({ mode: 'closed' })
    const owner = await app.createUser()
    const { drive_root_id } = await userByEmail(owner.email)
    await app.services.db
      .insertInto('members')
      .values({
        ...{
          id: 'membership',
          folder_id: drive_root_id,
          owner_id: owner.id,
          user_id: null,
          email: 'guest@example.com',
        },
        ...{ role: 'viewer', invited_by: owner.id, created_at: app.clock.now(), accepted_at: null },
      })
      .execute()
    expect((await signUp('guest@example.com')).status).toBe(403)
    await change({ allowsSharedFolders: true })
    expect((await signUp('guest@example.com')).status).toBe(201)
    expect((await signUp('stranger@example.com')).status).toBe(403)
  })

  it('starts with the operator’s variables', async () => {
    const other = await createTestApp({ signUp: { mode: 'domain', domains: ['example.org'] } })
    const answer = await other.visitor.raw(register, { email: 'a@example.com', password: TEST_PASSWORD })
    expect(answer.status).toBe(403)
    await other.close()
  })

  it('gives new accounts the default plan, without payment', async () => {
    await change({ defaultPlanId: 2 })
    await signUp('new@example.com')
    expect(await userByEmail('new@example.com')).toMatchObject({ plan_id: 2, plan_name: '500 GB Monthly' })
    expect(await storageOf(admin)).toMatchObject({ plan_id: 0 })
  })

  it('gives the default quota to accounts without a plan or a quota of their own', async () => {
    const [paid, own, free] = [
      await app.createUser({ planName: '100 GB Monthly' }),
      await app.createUser(),
      await app.createUser(),
    ]
    const ownQuota = { own_quota: 5 * GIGABYTE, allocated_bytes: 5 * GIGABYTE }
    await app.services.db.updateTable('users').set(ownQuota).where('id', '=', own.id).execute()
    await change({ defaultQuota: 50 * GIGABYTE })
    await signUp('new@example.com')
    expect(await userByEmail('new@example.com')).toMatchObject({ allocated_bytes: 50 * GIGABYTE })
    const quotas = await Promise.all([paid, own, free].map(async (user) => (await storageOf(user)).allocated_bytes))
    expect(quotas).toEqual([10 * GIGABYTE, 5 * GIGABYTE, 50 * GIGABYTE])
    await change({ defaultQuota: null })
    expect((await storageOf(free)).allocated_bytes).toBe(10 * GIGABYTE)
  })

  it.each([
    [{ mode: 'members' }, 'The mode must be open, invite, domain or closed.'],
    [{ mode: 'domain', domains: [] }, 'List at least one domain whose addresses can register.'],
    [{ domains: ['example'] }, 'A domain looks like example.com.'],
    [{ domains: ['@example.com'] }, 'A domain looks like example.com.'],
    [{ defaultPlanId: 99 }, expect.stringMatching(/^There is no plan 99\./)],
    [{ defaultQuota: -1 }, 'The quota must be a whole number of bytes, or null.'],
  ])('refuses the settings %j and changes nothing', async (settings, error) => {
    expect(await change(settings)).toMatchObject({ status: 400, body: { error } })
    expect((await admin.client.call(getSignUpSettings, {})).body).toMatchObject({ mode: 'open', domains: [] })
  })

  it('notes in the audit log what has changed, and nothing if nothing has', async () => {
    for (const settings of [{ mode: 'closed' }, { mode: 'closed' }, { defaultQuota: GIGABYTE }]) await change(settings)
    const { entries } = (await admin.client.call(listAuditLog, {})).body
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['settings.sign-up', { defaultQuota: GIGABYTE }],
      ['settings.sign-up', { mode: 'closed' }],
    ])
  })
})

describe('required two-factor sign-in', () => {
  it('lets accounts without it do nothing but set it up, also with app passwords', async () => {
    const user = await app.createUser()
    const { client: byApp } = await addAppPassword(app, user)
    await change({ requireTwoFactor: true })
    for (const client of [user.client, byApp]) {
      expect(await client.raw(getStorage, {})).toMatchObject({
        status: 403,
        body: { code: 'two_factor_setup_required' },
      })
    }
    expect((await user.client.call(getTwoFactor, {})).body.isEnabled).toBe(false)
    await turnOnTwoFactor(user)
    for (const client of [user.client, byApp]) expect((await client.raw(getStorage, {})).status).toBe(200)
  })

  it('ends when the administrator no longer requires it', async () => {
    const user = await app.createUser()
    await change({ requireTwoFactor: true })
    expect((await user.client.raw(getStorage, {})).status).toBe(403)
    await turnOnTwoFactor(admin)
    await change({ requireTwoFactor: false })
    expect((await user.client.raw(getStorage, {})).status).toBe(200)
  })
})

describe('plans that are switched off', () => {
  const switchPlans = (enabled: boolean) => admin.client.call(changePlanSettings, { enabled })

  it('give every account the vault, music and video, and no name of a plan', async () => {
    const user = await app.createUser()
    expect((await user.client.raw(listAudio, {})).status).toBe(403)
    await switchPlans(false)
    expect((await user.client.raw(listAudio, {})).status).toBe(200)
    expect(await storageOf(user)).toMatchObject({ plan_name: '', plan_id: 0, allocated_bytes: 10 * GIGABYTE })
    await signUp('new@example.com')
    expect((await userByEmail('new@example.com')).plan_name).toBe('')
    await switchPlans(true)
    expect((await user.client.raw(listAudio, {})).status).toBe(403)
    expect((await userByEmail('new@example.com')).plan_name).toBe('free')
  })

  it('are not for sale', async () => {
    await switchPlans(false)
    expect((await app.visitor.call(listPlans, {})).body).toEqual({ Monthly: [], Annually: [], Lifetime: [] })
    const user = await app.createUser()
    expect(await user.client.raw(createCheckoutSession, { planId: 1 })).toMatchObject({
      status: 409,
      body: { error: 'This server has no plans to buy.' },
    })
    expect((await admin.client.call(getPlanSettings, {})).body).toEqual({ enabled: false, subscribers: 0 })
  })

  it('keep their name for those who have bought one, and its storage for those who got one', async () => {
    const { db } = app.services
    const [bought, given] = [await app.createUser(), await app.createUser()]
    const plan = { plan_id: 3, plan_name: '2 TB Monthly', allocated_bytes: 2048 * GIGABYTE }
    await db.updateTable('users').set(plan).where('id', 'in', [bought.id, given.id]).execute()
    await db
      .insertInto('billing_customers')
      .values({ user_id: bought.id, realm: app.services.payments.realm, plan_id: 3, subscription_id: 'sub_1' })
      .execute()
    await switchPlans(false)
    expect((await bought.client.call(getDashboard, {})).body.subscription.plan).toBe('2 TB Monthly')
    expect(await storageOf(given)).toMatchObject({ plan_name: '', allocated_bytes: 2048 * GIGABYTE })
    await switchPlans(true)
    expect(await storageOf(given)).toMatchObject({ plan_name: '2 TB Monthly' })
  })

  it('follow the operator’s variable when the server starts', async () => {
    const user = await app.createUser()
    await followPlansSetting({ ...app.services, config: { ...app.services.config, plans: false } })
    expect((await storageOf(user)).plan_name).toBe('')
  })
})
