import { randomUUID } from 'node:crypto'
import type { AnyCall } from '@alcove/contract/call'
import { allCalls } from '@alcove/contract/calls'
import { uploadChunk, verifyUploads } from '@alcove/contract/uploads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsById } from './testing/clients/calls-by-id.ts'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'
import { createOwner, type OwnedResources, readOwnedResources } from './testing/factories/owned-resources.ts'

let app: TestApp
let stranger: OwnedResources
beforeAll(async () => {
  app = await createTestApp()
  stranger = await createOwner(app)
})
afterAll(() => app.close())

/** A field by this name says which one of several things is meant. */
const POINTER = /^(id|owner|allIn)$|(Id|Ids|_id|_ids)$/

/** Fields that are called so, and what keeps them from reaching what is another's. */
const NOT_OURS: Record<string, string[]> = {
  // A plan of the catalogue, and the client's own name for a decision.
  '/create-checkout-session': ['planId', 'attemptId'],
  // Ids of the card provider's: modules/billing/checkout/checkout.test.ts and card.test.ts hold them to their customer.
  '/confirm-checkout': ['sessionId'],
  // Answered in lists: below.
  '/uploads/verify': ['uploadIds'],
}

function ask(own: OwnedResources, call: AnyCall, input: Record<string, unknown>) {
  const client = call.access === 'public' ? app.visitor : own.user.client
  if (call.path === uploadChunk.path) return client.sendChunk(input as Record<string, string>, 'x')
  return client.raw(call, input)
}

const nameOf = (call: AnyCall) => `${call.method} ${call.path}`
const attempts = callsById.flatMap((pointing) =>
  pointing.points.map((point) => [nameOf(pointing.call), point, pointing] as const),
)

describe('what is another’s', () => {
  it.each(attempts)('is not there for %s by its %s, and stays as it is', async (_name, point, pointing) => {
    const { call, input, refusal } = pointing
    const owner = await createOwner(app)
    const before = await readOwnedResources(app, owner.user)
    const response = await ask(stranger, call, { ...input(stranger), [point]: input(owner)[point] })
    expect(response.status).toBe(refusal ?? 404)
    expect(JSON.stringify(response.body)).not.toContain(owner.user.id)
    expect(await readOwnedResources(app, owner.user)).toBe(before)
    // The same works for whoever it belongs to: else it was refused for something else.
    const own = await ask(owner, call, input(owner))
    expect([200, 201, 415], JSON.stringify(own.body)).toContain(own.status)
  })

  it('is the same as what is nowhere, where uploads are compared', async () => {
    const owner = await createOwner(app)
    const { client } = stranger.user
    const requested = { uploadIds: [owner.halfUpload, owner.wholeUpload, randomUUID()] }
    expect((await client.call(verifyUploads, requested)).body).toEqual({ stored: [], gone: [] })
  })

  it.each(allCalls.map((call) => [nameOf(call), call] as const))('is asked after for every id of %s', (_name, call) => {
    const fields = Object.keys(call.input.shape).filter((field) => POINTER.test(field))
    const tried = attempts.filter(([name]) => name === nameOf(call)).map(([, point]) => point)
    expect([...tried, ...(NOT_OURS[call.path] ?? [])]).toEqual(expect.arrayContaining(fields))
  })
})

describe('what is part of the paid plans', () => {
  const paid = allCalls.filter(({ access }) => access === 'paid').map((call) => [nameOf(call), call] as const)

  it.each(paid)('is refused on the free plan before anything is looked at: %s', async (_name, call) => {
    const free = await app.createUser()
    expect(await free.client.raw(call, { id: randomUUID() })).toMatchObject({
      status: 403,
      body: { code: 'plan_required', error: 'This is part of the paid plans.' },
    })
    const payer = await app.createUser({ planName: '2 TB Annually' })
    expect((await payer.client.raw(call, { id: randomUUID() })).status).not.toBe(403)
  })

  it('are music and video, all of their calls', () => {
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
