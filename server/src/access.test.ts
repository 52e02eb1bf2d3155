import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@alcove/contract/call'
import { allCalls } from '@alcove/contract/calls'
import { uploadChunk, verifyUploads } from '@alcove/contract/uploads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsById } from './testing/clients/calls-by-id.ts'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'
import { addAppPassword } from './testing/factories/app-passwords.ts'
import { createOwner, type OwnedResources, readOwnedResources } from './testing/factories/owned-resources.ts'

let app: TestApp
let stranger: OwnedResources
beforeAll(async () => {
  app = await createTestApp()
  stranger = await createOwner(app)
})
afterAll(() => app.close())

/** Matches fields that identify a resource. */
const ID_FIELD = /^(id|owner|allIn)$|(Id|Ids|_id|_ids)$/

/** Fields that match, but don't identify a resource of a user, or are tested elsewhere. */
const OTHER_ID_FIELDS: Record<string, string[]> = {
  // The first is a plan of the catalogue, the second an id that the client chooses.
  '/create-checkout-session': ['planId', 'attemptId'],
  // Ids of the card provider: modules/billing/checkout/checkout.test.ts and card.test.ts test that they belong to the customer.
  '/confirm-checkout': ['sessionId'],
  // Jobs belong to no user.
  '/admin/jobs/{id}/retry': ['id'],
  '/admin/jobs/{id}': ['id'],
  // The id of this server at a provider.
  '/admin/sign-in/provider/{name}': ['clientId'],
  // The response is a list, so it has a test of its own below.
  '/uploads/verify': ['uploadIds'],
}

function send(own: OwnedResources, call: AnyCall, input: Record<string, unknown>) {
  const client = call.access === 'public' ? app.visitor : own.user.client
  if (call.path === uploadChunk.path) return client.sendChunk(input as Record<string, string>, 'x')
  return client.raw(call, input)
}

const nameOf = (call: AnyCall) => `${call.method} ${call.path}`
const attempts = callsById.flatMap((callById) =>
  callById.idFields.map((field) => [nameOf(callById.call), field, callById] as const),
)

describe('access to resources of another user', () => {
  it.each(attempts)('rejects %s with the %s of another user and changes nothing', async (_name, field, callById) => {
    const { call, input, strangerStatus } = callById
    const owner = await createOwner(app)
    const before = await readOwnedResources(app, owner.user)
    const response = await send(stranger, call, { ...input(stranger), [field]: input(owner)[field] })
    expect(response.status).toBe(strangerStatus ?? 404)
    expect(JSON.stringify(response.body)).not.toContain(owner.user.id)
    expect(await readOwnedResources(app, owner.user)).toBe(before)
    // The owner's call succeeds, so the stranger's was rejected because of the owner.
    const own = await send(owner, call, input(owner))
    expect([200, 201, 415], JSON.stringify(own.body)).toContain(own.status)
  })

  it('treats upload ids of another user like unknown ids when uploads are verified', async () => {
    const owner = await createOwner(app)
    const { client } = stranger.user
    const requested = { uploadIds: [owner.halfUpload, owner.wholeUpload, randomUUID()] }
    expect((await client.call(verifyUploads, requested)).body).toEqual({ stored: [], gone: [] })
  })

  // Administrators name any user, and to others these calls don't exist, as tested below.
  it.each(allCalls.filter(({ access }) => access !== 'admin').map((call) => [nameOf(call), call] as const))(
    'is tested for every id field of %s',
    (_name, call) => {
      const fields = Object.keys(call.input.shape).filter((field) => ID_FIELD.test(field))
      const tested = attempts.filter(([name]) => name === nameOf(call)).map(([, field]) => field)
      expect([...tested, ...(OTHER_ID_FIELDS[call.path] ?? [])]).toEqual(expect.arrayContaining(fields))
    },
  )
})

describe('calls for administrators', () => {
  const forAdmins = allCalls.filter(({ access }) => access === 'admin').map((call) => [nameOf(call), call] as const)

  it.each(forAdmins)('answers %s to others as an address where nothing is', async (_name, call) => {
    const input = { id: randomUUID() }
    const nothing = { status: 404, body: { code: 'not_found', error: 'There is nothing at this address.' } }
    const token = (await addAppPassword(app, stranger.user, { scope: 'write' })).client
    for (const client of [app.visitor, stranger.user.client, token]) {
      expect(await client.raw(call, input)).toMatchObject(nothing)
    }
    const admin = await app.createUser({ isAdmin: true })
    expect((await admin.client.raw(call, input)).body).not.toMatchObject(nothing.body)
    const ofFiles = (await addAppPassword(app, admin, { scope: 'write' })).client
    expect((await ofFiles.raw(call, input)).status).toBe(403)
    const suspended = await app.createUser({ isAdmin: true })
    await app.services.db.updateTable('users').set({ suspended_at: 1 }).where('id', '=', suspended.id).execute()
    expect(await suspended.client.raw(call, input)).toMatchObject(nothing)
  })

  it('are below /admin, and nothing else is', () => {
    for (const call of allCalls) {
      expect([call.path, call.access === 'admin']).toEqual([call.path, call.path.startsWith('/admin/')])
    }
  })
})

describe('calls of the paid plans', () => {
  const paid = allCalls.filter(({ access }) => access === 'paid').map((call) => [nameOf(call), call] as const)

  it.each(paid)('rejects %s on the free plan before looking anything up', async (_name, call) => {
    const free = await app.createUser()
    expect(await free.client.raw(call, { id: randomUUID() })).toMatchObject({
      status: 403,
      body: { code: 'plan_required', error: 'This is part of the paid plans.' },
    })
    const payer = await app.createUser({ planName: '2 TB Annually' })
    expect((await payer.client.raw(call, { id: randomUUID() })).status).not.toBe(403)
  })

  it('requires a paid plan for exactly the calls for music and video', () => {
    expect(paid.map(([name]) => name).sort()).toEqual(
      [
        'GET /media/audio',
        'GET /media/video',
        'GET /media/subtitles/{id}',
        'GET /stream-url/{id}',
        'GET /playlists',
        'POST /playlists',
        'PUT /playlists/{id}',
        'DELETE /playlists/{id}',
      ].sort(),
    )
  })
})
