import { createHash } from 'node:crypto'
import { type AnyCall, pathParameters } from '@alcove/contract/call'
import { allCalls } from '@alcove/contract/calls'
import { createFolder } from '@alcove/contract/files'
import { updatePublicLink } from '@alcove/contract/sharing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
})
afterAll(() => app.close())

/** What could be guessed, or is dear to compare. */
const SECRET = /^(password|currentPassword|newPassword|code|challenge|resetToken|response)$/
/** More than a person needs in the shortest of the windows, and few against a million codes. */
const ENOUGH = 300

/** Calls with such a field that need no limit by the caller's address. */
const LIMITED_OTHERWISE = [
  // By user: below, and in modules/accounts/two-factor/two-factor.test.ts.
  'POST /public-link/{id}',
  'POST /account/two-factor',
  // The challenge behind it took the password, and is good once.
  'POST /account/passkeys',
]

const nameOf = (call: AnyCall) => `${call.method} ${call.path}`
const guessable = allCalls
  .filter((call) => Object.keys(call.input.shape).some((field) => SECRET.test(field)))
  .map((call) => [nameOf(call), call] as const)

/** An address of documentation (RFC 5737) for each call. */
const addressOf = (name: string) => `198.51.100.${createHash('sha256').update(name).digest()[0]}`

describe('a call by which something could be guessed', () => {
  it.each(guessable.filter(([name]) => !LIMITED_OTHERWISE.includes(name)))(
    'is refused from one address after some hundred times: %s',
    async (name, call) => {
      const headers = { 'x-forwarded-for': addressOf(name) }
      const parameters = Object.fromEntries(pathParameters(call.path).map((field) => [field, 'x']))
      let answer = await app.visitor.raw(call, parameters, headers)
      for (let times = 1; times <= ENOUGH && answer.status !== 429; times++) {
        answer = await app.visitor.raw(call, parameters, headers)
      }
      expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  it('is known as one', () => {
    expect(guessable.length).toBeGreaterThan(10)
    expect(guessable.map(([name]) => name)).toEqual(expect.arrayContaining(LIMITED_OTHERWISE))
  })
})

describe('the card provider', () => {
  const asking = allCalls.filter(({ path }) =>
    /^\/(stripe\/|create-checkout|confirm-checkout|revert|account\/dashboard)/.test(path),
  )

  it.each(asking.map((call) => [nameOf(call), call] as const))(
    'is not asked without end by one caller: %s',
    async (name, call) => {
      const headers = { 'x-forwarded-for': addressOf(name) }
      const statuses = new Set<number>()
      for (let times = 0; times <= ENOUGH; times++) statuses.add((await app.visitor.raw(call, {}, headers)).status)
      expect([...statuses]).toEqual([401, 429])
    },
  )

  it('is not led to its portal without end either', async () => {
    const request = {
      method: 'GET',
      url: '/api/billing-portal',
      headers: { 'x-forwarded-for': addressOf('portal') },
    } as const
    const statuses = new Set<number>()
    for (let times = 0; times <= ENOUGH; times++) statuses.add((await app.visitor.request(request)).status)
    expect([...statuses]).toEqual([303, 429])
  })
})

describe('a password for a link', () => {
  it('is set a few hundred times and no more, since each is hashed', async () => {
    const { client } = await app.createUser()
    const { body: folder } = await client.call(createFolder, { folderName: 'a' })
    const set = (password: string) => client.raw(updatePublicLink, { id: folder.id, enabled: true, password })
    expect((await set('first')).status).toBe(200)
    const { rateLimits } = app.services
    const { id } = await app.services.db
      .selectFrom('items')
      .select('owner_id as id')
      .where('id', '=', folder.id)
      .executeTakeFirstOrThrow()
    // As many as are allowed, without the time that hashing them would take.
    for (let times = 1; times < ENOUGH; times++) {
      await rateLimits.consume('new link passwords', { points: ENOUGH, seconds: 900 }, id)
    }
    expect((await set('last')).status).toBe(429)
    expect((await client.call(updatePublicLink, { id: folder.id, enabled: false })).status).toBe(200)
  })
})
