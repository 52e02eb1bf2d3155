import {
  forgotPassword,
  getDataUrl,
  login,
  logout,
  resetPassword,
  type SignedIn,
  updatePassword,
} from '@alcove/contract/accounts'
import { getDownloadUrl } from '@alcove/contract/bytes'
import { createFolder } from '@alcove/contract/files'
import { getItemsDownloadUrl } from '@alcove/contract/item-calls'
import { getStreamUrl } from '@alcove/contract/media'
import { endOtherSessions, endSession, listSessions } from '@alcove/contract/sessions'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../../testing/clients/client.ts'
import { readToken } from '../../../testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from '../../../testing/engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../../../testing/factories/users.ts'

const NEW_PASSWORD = 'Brand@new7'
let app: TestApp
let user: TestUser
let other: TestUser

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
  other = await app.createUser({ planName: '2 TB Annually' })
  for (const { client } of [user, other]) await client.upload('rain.mp3', 'rain')
})

/** Creates one signed URL of each kind. */
async function signAll({ client }: TestUser): Promise<string[]> {
  const file = await client.upload('rain.mp3', 'rain')
  const folder = (await client.call(createFolder, { folderName: `Trip ${app.clock.now()}` })).body
  const responses = await Promise.all([
    client.call(getDownloadUrl, { id: file.id }),
    client.call(getDownloadUrl, { id: folder.id }),
    client.call(getItemsDownloadUrl, { itemIds: [file.id, folder.id] }),
    client.call(getStreamUrl, { id: file.id }),
    client.call(getDataUrl, {}),
  ])
  return responses.map(({ body: { url } }) => url.slice(new URL(url).origin.length))
}

const statusesOf = (urls: readonly string[]) =>
  Promise.all(urls.map(async (url) => (await app.app.inject({ method: 'GET', url })).statusCode))
const all = (status: number) => Array.from({ length: 5 }, () => status)

async function signIn(): Promise<TestClient> {
  const { body } = await app.visitor.raw<SignedIn>(login, { email: user.email, password: TEST_PASSWORD })
  return new TestClient(app.app, body.token)
}

const revocations: Record<string, () => Promise<{ status: number }>> = {
  'a password change': () =>
    user.client.raw(updatePassword, { currentPassword: TEST_PASSWORD, newPassword: NEW_PASSWORD }),
  'a password reset': async () => {
    await app.visitor.call(forgotPassword, { email: user.email })
    const token = await readToken(app, 'reset-password', user.email)
    return app.visitor.call(resetPassword, { resetToken: token, newPassword: NEW_PASSWORD })
  },
  'signing out everywhere else': () => user.client.raw(endOtherSessions, {}),
  'signing out another browser': async () => {
    await signIn()
    const { sessions } = (await user.client.call(listSessions, {})).body
    return user.client.raw(endSession, { id: sessions.find(({ isCurrent }) => !isCurrent)?.id })
  },
}

describe('signed URLs', () => {
  it.each(Object.entries(revocations))(
    'revokes the user’s signed URLs after %s and keeps those of other users',
    async (_what, revoke) => {
      const [before, others] = [await signAll(user), await signAll(other)]
      expect(await statusesOf(before)).toEqual(all(200))
      app.clock.advance(1)
      expect((await revoke()).status).toBe(200)
      expect(await statusesOf(before)).toEqual(all(403))
      expect(await statusesOf(others)).toEqual(all(200))
    },
  )

  it('accepts signed URLs created in the same millisecond as a revocation', async () => {
    await revocations['a password change']?.()
    expect(await statusesOf(await signAll(user))).toEqual(all(200))
  })

  it('tells the user to start again when a signed URL is revoked', async () => {
    const [file, , selection, stream, data] = await signAll(user)
    app.clock.advance(1)
    await revocations['a password change']?.()
    for (const url of [file, selection, data]) {
      const { body } = await app.app.inject({ method: 'GET', url: url as string })
      expect(JSON.parse(body).error).toBe('This download link has expired. Please start the download again.')
    }
    const { body } = await app.app.inject({ method: 'GET', url: stream as string })
    expect(JSON.parse(body).error).toBe('This stream has expired. Please start it again.')
  })

  it('keeps signed URLs valid after a sign-out or when no session is ended', async () => {
    const urls = await signAll(user)
    app.clock.advance(1)
    const leaving = await signIn()
    expect((await leaving.raw(logout, {})).status).toBe(200)
    expect((await user.client.raw(endSession, { id: '00000000-0000-4000-8000-000000000000' })).status).toBe(404)
    expect(await statusesOf(urls)).toEqual(all(200))
  })
})
