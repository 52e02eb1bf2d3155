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

/** Matches fields whose value could be guessed, or is expensive to compare. */
const SECRET = /^(password|currentPassword|newPassword|code|challenge|resetToken|response)$/
/** More attempts than a person needs in the shortest window, and few compared to a million codes. */
const MAX_ATTEMPTS = 300

/** Calls with such a field that need no limit by client address. */
const LIMITED_OTHERWISE = [
  // Limited by user: tested below, and in modules/accounts/two-factor/two-factor.test.ts.
  'POST /public-link/{id}',
  'POST /items/{id}/links',
  'PUT /links/{linkId}',
  'POST /account/two-factor',
  // Its challenge required the password and can be used once.
  'POST /account/passkeys',
]

const nameOf = (call: AnyCall) => `${call.method} ${call.path}`
const guessable = allCalls
  .filter((call) => Object.keys(call.input.shape).some((field) => SECRET.test(field)))
  .map((call) => [nameOf(call), call] as const)

/** Returns a client address for a call, from a range for documentation (RFC 5737). */
const addressOf = (name: string) => `198.51.100.${createHash('sha256').update(name).digest()[0]}`

describe('calls with guessable fields', () => {
  it.each(guessable.filter(([name]) => !LIMITED_OTHERWISE.includes(name)))(
    'limits %s to a few hundred attempts from one address',
    async (name, call) => {
      const headers = { 'x-forwarded-for': addressOf(name) }
      const parameters = Object.fromEntries(pathParameters(call.path).map((field) => [field, 'x']))
      let response = await app.visitor.raw(call, parameters, headers)
      for (let times = 1; times <= MAX_ATTEMPTS && response.status !== 429; times++) {
        response = await app.visitor.raw(call, parameters, headers)
      }
      expect(response).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
      expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  it('finds the calls to test by the names of their fields', () => {
    expect(guessable.length).toBeGreaterThan(10)
    expect(guessable.map(([name]) => name)).toEqual(expect.arrayContaining(LIMITED_OTHERWISE))
  })
})

describe('calls to the card provider', () => {
  const providerCalls = allCalls.filter(({ path }) =>
    /^\/(stripe\/|create-checkout|confirm-checkout|revert|account\/dashboard)/.test(path),
  )

  it.each(providerCalls.map((call) => [nameOf(call), call] as const))(
    'limits %s for one address',
    async (name, call) => {
      const headers = { 'x-forwarded-for': addressOf(name) }
      const statuses = new Set<number>()
      for (let times = 0; times <= MAX_ATTEMPTS; times++)
        statuses.add((await app.visitor.raw(call, {}, headers)).status)
      expect([...statuses]).toEqual([401, 429])
    },
  )

  it('limits GET /billing-portal for one address', async () => {
    const request = {
      method: 'GET',
      url: '/api/billing-portal',
      headers: { 'x-forwarded-for': addressOf('portal') },
    } as const
    const statuses = new Set<number>()
    for (let times = 0; times <= MAX_ATTEMPTS; times++) statuses.add((await app.visitor.request(request)).status)
    expect([...statuses]).toEqual([303, 429])
  })
})

describe('passwords of public links', () => {
  it('limits how often a user can set one, because each is hashed', async () => {
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
    // Uses up the limit without the time that hashing passwords would take.
    for (let times = 1; times < MAX_ATTEMPTS; times++) {
      await rateLimits.consume('new link passwords', { points: MAX_ATTEMPTS, seconds: 900 }, id)
    }
    expect((await set('last')).status).toBe(429)
    expect((await client.call(updatePublicLink, { id: folder.id, enabled: false })).status).toBe(200)
  })
})
