import { acceptInvitationToServer } from '@alcove/contract/invitations'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runTestCommand } from '../testing/clients/operator.ts'
import { createTestApp, type TestApp } from '../testing/engines/test-app.ts'
import { TEST_PASSWORD } from '../testing/factories/users.ts'

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(() => app.close())

const run = (...given: string[]) => runTestCommand(app.services.config, app.clock, ...given)

it('prints a link with which somebody creates an account', async () => {
  const { code, printed } = await run('user', 'create', 'Guest@example.com')
  expect(code).toBe(0)
  const token = printed[0]?.split('#')[1] ?? ''
  const { body } = await app.visitor.call(acceptInvitationToServer, { token, password: TEST_PASSWORD })
  expect(body.email).toBe('guest@example.com')
  expect((await run('user', 'invite', 'guest@example.com')).errors).toEqual([
    'An account with this email already exists.',
  ])
  expect((await run('user', 'invite', 'guest')).errors).toEqual(['guest isn’t an email address.'])
})

it('changes and shows who can register', async () => {
  expect((await run('sign-up', 'set', 'domain:example.com,Example.org')).code).toBe(0)
  expect((await run('sign-up', 'two-factor', 'on')).code).toBe(0)
  expect((await run('plans', 'switch', 'off')).code).toBe(0)
  expect((await run('sign-up', 'show')).printed).toEqual([
    'Registration: domain example.com, example.org',
    'People invited to a shared folder can register: no',
    'Two-factor sign-in is required: yes',
    'Plans: off; plan of new accounts: 0',
    'Quota without a plan: default',
  ])
})

it.each([
  [['sign-up', 'set', 'members'], 'There is no mode members.'],
  [['sign-up', 'set', 'closed:example.com'], 'There is no mode closed:example.com.'],
  [['sign-up', 'set', 'domain:example'], '"example" isn’t a domain.'],
  [['sign-up', 'set', 'domain'], 'List at least one domain'],
  [['plans', 'switch', 'maybe'], '"maybe" must be on or off.'],
])('refuses %j', async (given, error) => {
  const { code, errors } = await run(...given)
  expect([code, errors]).toEqual([1, [expect.stringContaining(error)]])
})
