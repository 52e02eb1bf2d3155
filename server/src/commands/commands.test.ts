import { getDashboard } from '@alcove/contract/billing'
import { getStorage } from '@alcove/contract/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConfigError } from '../config.ts'
import { syncCustomers } from '../modules/billing/subscriptions/sync-customers.ts'
import { createTestApp, type TestApp } from '../testing/engines/test-app.ts'
import { openTestPayments, type TestPayments } from '../testing/factories/payments.ts'
import { runCommand } from './commands.ts'

let app: TestApp
let payments: TestPayments
beforeAll(async () => {
  app = await createTestApp()
  payments = await openTestPayments(app)
})
afterAll(() => app.close())

/** What the operator types, and what comes of it. */
async function type(...given: string[]) {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await runCommand(given, {
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
    withOperator: (work) => {
      const { services } = app
      return work({ services, config: services.config, settingsWith: () => services.config })
    },
  })
  return { code, printed, complaints }
}

describe('the command line', () => {
  it('lists its commands when it is asked for help, and when nothing was typed', async () => {
    for (const given of [['--help'], ['help'], ['user', 'list', '--help'], ['-h']]) {
      const { code, printed } = await type(...given)
      expect(code).toBe(0)
      expect(printed.join('\n')).toMatch(/user set-plan EMAIL PLAN_ID {2,}Give a user a plan/)
    }
    expect((await type()).code).toBe(2)
  })

  it('says what is wrong about a command that there is not, or that lacks something', async () => {
    expect(await type('user', 'explode')).toEqual({
      code: 2,
      printed: [],
      complaints: ['There is no command "user explode". All commands: npm run -s alcove -- --help'],
    })
    expect((await type('user')).code).toBe(2)
    expect(await type('user', 'activate')).toMatchObject({
      code: 2,
      complaints: ['Usage: npm run -s alcove -- user activate EMAIL'],
    })
    expect((await type('user', 'list', 'more')).code).toBe(2)
  })

  it('fails with one line when a setting is bad', async () => {
    const complaints: string[] = []
    const code = await runCommand(['user', 'list'], {
      print: () => {},
      complain: (line) => complaints.push(line),
      withOperator: () => Promise.reject(new ConfigError('PORT is a port number.')),
    })
    expect([code, complaints]).toEqual([1, ['PORT is a port number.']])
  })
})

describe('user list', () => {
  it('prints every user in a line', async () => {
    const { email } = await app.createUser({ isActivated: false })
    const { code, printed } = await type('user', 'list')
    expect(code).toBe(0)
    expect(printed.find((line) => line.startsWith(email))?.split('\t')).toEqual([
      email,
      'free',
      '0 of 10 GB',
      'not activated',
      '2026-01-15T12:00:00.000Z',
    ])
  })
})

describe('user activate', () => {
  it('activates an account, once', async () => {
    const { email } = await app.createUser({ isActivated: false })
    expect(await type('user', 'activate', email.toUpperCase())).toMatchObject({
      code: 0,
      printed: [`${email} is activated now.`],
    })
    expect(await type('user', 'activate', email)).toMatchObject({
      code: 0,
      printed: [`${email} was activated already.`],
    })
    const nobody = 'nobody@example.com'
    expect(await type('user', 'activate', nobody)).toMatchObject({
      code: 1,
      complaints: [`There is no user ${nobody}.`],
    })
  })
})

describe('user set-plan', () => {
  it('gives a plan that nothing takes away but the operator or the user', async () => {
    const user = await app.createUser()
    expect(await type('user', 'set-plan', user.email, '8')).toMatchObject({
      code: 0,
      printed: [`${user.email} has the plan 5 TB Annually now.`],
    })
    await syncCustomers(app.services, new AbortController().signal)
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 8, allocated_bytes: 5 * 1024 ** 4 })
    expect((await user.client.call(getDashboard, {})).body.subscription).toMatchObject({
      plan: '5 TB Annually',
      status: 'active',
      price: 0,
      next_billing_date: null,
    })
    expect((await type('user', 'set-plan', user.email, '0')).printed).toEqual([`${user.email} has the plan free now.`])
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 0, plan_name: 'free' })
  })

  it('leaves alone who pays, and says what they pay for', async () => {
    const user = await app.createUser()
    await payments.buy(user, 3)
    for (const planId of ['8', '0']) {
      expect(await type('user', 'set-plan', user.email, planId)).toMatchObject({
        code: 1,
        complaints: [`${user.email} pays for 2 TB Monthly. You can give a plan only to users who don't pay for one.`],
      })
    }
    expect((await user.client.call(getStorage, {})).body).toMatchObject({ plan_id: 3 })
  })

  it('knows the plans of the catalogue and the users that there are', async () => {
    const { email } = await app.createUser()
    for (const planId of ['13', '-1', '1.5', 'seven', '', '0x1']) {
      const { code, complaints } = await type('user', 'set-plan', email, planId)
      expect([code, complaints[0]]).toEqual([1, expect.stringContaining('The plans are 0 (free), 1 (100 GB Monthly)')])
    }
    expect((await type('user', 'set-plan', 'nobody@example.com', '7')).code).toBe(1)
  })
})

describe('stripe sync-plans', () => {
  it('is of no use without keys, and says so', async () => {
    const { code, complaints } = await type('stripe', 'sync-plans')
    expect([code, complaints]).toEqual([1, ['STRIPE_SECRET_KEY is not set. The sandbox creates its prices by itself.']])
  })
})
