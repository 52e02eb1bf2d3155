import { randomUUID } from 'node:crypto'
import { type AnyCall, scopes } from '@alcove/contract/call'
import { allCalls } from '@alcove/contract/calls'
import { createFolder } from '@alcove/contract/files'
import { uploadChunk } from '@alcove/contract/uploads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callsById } from './testing/clients/calls-by-id.ts'
import type { TestClient } from './testing/clients/client.ts'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'
import { addAppPassword } from './testing/factories/app-passwords.ts'
import { createOwner, type OwnedResources, readOwnedResources } from './testing/factories/owned-resources.ts'

let app: TestApp
let stranger: OwnedResources
/** Every attempt on these is refused, so all tests can share them. */
let owner: OwnedResources
beforeAll(async () => {
  app = await createTestApp()
  stranger = await createOwner(app)
  owner = await createOwner(app)
  // Otherwise all calls for administrators look like addresses where nothing is.
  await app.services.db.updateTable('users').set({ site_role: 'admin' }).where('id', '=', stranger.user.id).execute()
})
afterAll(() => app.close())

const nameOf = (call: AnyCall) => `${call.method} ${call.path}`
const signedIn = allCalls.filter(({ access }) => access !== 'public')
const mayCall = (scope: string, call: AnyCall) =>
  call.scope !== undefined && (scope === call.scope || (scope === 'write' && call.scope !== 'admin'))
const cases = signedIn.map((call) => [nameOf(call), call] as const)
const attempts = callsById
  .filter(({ call }) => call.access !== 'public')
  .flatMap((callById) => callById.idFields.map((field) => [nameOf(callById.call), field, callById] as const))

function send(client: TestClient, call: AnyCall, input: Record<string, unknown>) {
  if (call.path === uploadChunk.path) return client.sendChunk(input as Record<string, string>, 'x')
  return client.raw(call, input)
}

describe.each(scopes)('an app password with the scope %s', (scope) => {
  let client: TestClient
  beforeAll(async () => {
    client = (await addAppPassword(app, stranger.user, { scope })).client
  })

  it.each(cases)('may make %s only if the contract says so', async (_name, call) => {
    const response = await client.raw(call, { id: randomUUID() })
    if (mayCall(scope, call)) expect([401, 403, 500]).not.toContain(response.status)
    else expect(response).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  })

  it.each(attempts)(
    'can’t make %s with the %s of another user',
    async (_name, field, { call, input, strangerStatus }) => {
      const before = await readOwnedResources(app, owner.user)
      const response = await send(client, call, { ...input(stranger), [field]: input(owner)[field] })
      expect(response.status).toBe(mayCall(scope, call) ? (strangerStatus ?? 404) : 403)
      expect(await readOwnedResources(app, owner.user)).toBe(before)
    },
  )
})

describe('an app password of one folder', () => {
  let client: TestClient
  beforeAll(async () => {
    const folderId = (await owner.user.client.call(createFolder, { folderName: 'Only this' })).body.id
    client = (await addAppPassword(app, owner.user, { folderId })).client
  })

  it.each(attempts)('can’t make %s with the %s of something outside', async (_name, _field, { call, input }) => {
    const before = await readOwnedResources(app, owner.user)
    const response = await send(client, call, input(owner))
    expect(response.status, JSON.stringify(response.body)).toBe(call.scope === undefined ? 403 : 404)
    expect(await readOwnedResources(app, owner.user)).toBe(before)
  })
})
