import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { forgotPassword, login, resetPassword, type SignedIn } from '@alcove/contract/accounts'
import { updateAppearance } from '@alcove/contract/admin-site'
import { getDownloadUrl } from '@alcove/contract/bytes'
import type { AnyCall } from '@alcove/contract/call'
import { allCalls, calls } from '@alcove/contract/calls'
import { createFolder, getFolder, getStorage } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { createLink } from '@alcove/contract/links'
import {
  acceptHandOver,
  acceptInvitation,
  inviteMember,
  listSharedWithMe,
  offerHandOver,
} from '@alcove/contract/members'
import { getPublicItem } from '@alcove/contract/sharing'
import { openSubmission } from '@alcove/contract/submissions'
import { completeUpload, uploadChunk } from '@alcove/contract/uploads'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { suspendUser, unsuspendUser } from './modules/admin/index.ts'
import { commandLine } from './modules/audit/index.ts'
import { endRevokedStreams } from './modules/events/index.ts'
import { takeSpace } from './modules/items/index.ts'
import { callsById } from './testing/clients/calls-by-id.ts'
import { TestClient } from './testing/clients/client.ts'
import { DavClient } from './testing/clients/dav-client.ts'
import { readEvents } from './testing/clients/event-reader.ts'
import { readToken } from './testing/clients/sign-up.ts'
import { createTestApp, type TestApp } from './testing/engines/test-app.ts'
import { addAppPassword, type TestAppPassword } from './testing/factories/app-passwords.ts'
import { createOwner, type OwnedResources, readOwnedResources } from './testing/factories/owned-resources.ts'
import { addTestMember } from './testing/factories/shares.ts'
import { TEST_PASSWORD, type TestUser } from './testing/factories/users.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const nameOf = (call: AnyCall) => `${call.method} ${call.path}`
const suspend = ({ id }: TestUser) => suspendUser(app.services, { actor: commandLine(), userId: id })
const unsuspend = ({ id }: TestUser) => unsuspendUser(app.services, { actor: commandLine(), userId: id })
const refusal = { status: 403, body: { code: 'account_suspended', error: expect.stringContaining('is suspended') } }
const nothing = { status: 404, body: { error: 'There is nothing at this address.' } }
const tokenOf = (link: string) => link.slice(link.lastIndexOf('/') + 1)

function send(client: TestClient, call: AnyCall, input: Record<string, unknown>) {
  if (call.path === uploadChunk.path) return client.sendChunk(input as Record<string, string>, 'x')
  return client.raw(call, input)
}

describe('a suspended user', () => {
  let own: OwnedResources
  let tokens: TestAppPassword[]
  let before: string
  let dav: DavClient
  beforeAll(async () => {
    own = await createOwner(app)
    await app.services.db.updateTable('users').set({ site_role: 'admin' }).where('id', '=', own.user.id).execute()
    await app.createUser({ isAdmin: true })
    tokens = [
      await addAppPassword(app, own.user, { scope: 'write' }),
      await addAppPassword(app, own.user, { scope: 'admin' }),
      await addAppPassword(app, own.user, { scope: 'read', folderId: own.folder }),
    ]
    dav = new DavClient(app.app, own.user.email, tokens[0]?.secret ?? '')
    expect((await dav.send('PROPFIND', '', { headers: { depth: '1' } })).status).toBe(207)
    await suspend(own.user)
    // The user’s folders lose who came by groups of providers, which the user has left.
    await app.services.jobs.runDue()
    before = await readOwnedResources(app, own.user)
  })

  const signedIn = allCalls.filter(({ access }) => access !== 'public').map((call) => [nameOf(call), call] as const)
  it.each(signedIn)('can’t make %s with a session or a token, which says why', async (_name, call) => {
    const expected = call.access === 'admin' ? nothing : refusal
    for (const client of [own.user.client, ...tokens.map((token) => token.client)]) {
      expect(await client.raw(call, { id: randomUUID() })).toMatchObject(expected)
    }
  })

  const byId = callsById.map((callById) => [nameOf(callById.call), callById] as const)
  it.each(byId)(
    'changes and reads nothing by %s, also by signed addresses and links',
    async (_name, { call, input }) => {
      const client = call.access === 'public' ? app.visitor : own.user.client
      const { status, body } = await send(client, call, input(own))
      expect([403, 404], JSON.stringify(body)).toContain(status)
      expect(await readOwnedResources(app, own.user)).toBe(before)
    },
  )

  it.each(['/dav/', '/remote.php/dav/files/', '/remote.php/webdav/', '/ocs/v2.php/cloud/user'])(
    'has no access by apps at %s',
    async (path) => {
      for (const method of ['PROPFIND', 'GET', 'PUT', 'DELETE']) {
        const { status } = await dav.send(method, path, { headers: { depth: '0' } })
        expect([403, 404, 405]).toContain(status)
        expect(status, `${method} ${path}`).toBe(status === 404 || status === 405 ? status : 403)
      }
    },
  )

  it('can’t sign in and learns why, but only with the right password', async () => {
    const { email } = own.user
    expect(await app.visitor.raw(login, { email, password: TEST_PASSWORD })).toMatchObject(refusal)
    expect(await app.visitor.raw(login, { email, password: 'Wrong-password1' })).toMatchObject({
      status: 401,
      body: { code: 'incorrect_credentials' },
    })
  })

  it('gets no mail to reset the password', async () => {
    const mails = (await app.readMails()).length
    expect((await app.visitor.call(forgotPassword, { email: own.user.email })).status).toBe(200)
    expect(await app.readMails()).toHaveLength(mails)
  })
})

describe('the suspension of an account', () => {
  let user: TestUser
  let folder: string
  beforeEach(async () => {
    user = await app.createUser({ planName: '2 TB Annually' })
    folder = (await user.client.call(createFolder, { folderName: 'Trip' })).body.id
  })

  const download = async (client: TestClient, id: string) => {
    const { pathname, search } = new URL((await client.call(getDownloadUrl, { id })).body.url)
    return () => app.visitor.request({ method: 'GET', url: pathname + search })
  }

  it('ends links and submissions, which work again afterwards', async () => {
    const { body: shown } = await user.client.call(createLink, { id: folder })
    const { body: asked } = await user.client.call(createLink, { id: folder, right: 'upload' })
    const { secret } = (await app.visitor.call(openSubmission, { token: tokenOf(asked.link) })).body
    const visitor = new TestClient(app.app, secret)
    const submit = () =>
      visitor.sendChunk(
        {
          ...{ uploadId: randomUUID(), filename: `${randomUUID()}.txt`, chunkIndex: 0, totalChunks: 1 },
          ...{ totalSize: 1, complete: true },
        },
        'x',
      )
    expect((await submit()).status).toBe(201)
    await suspend(user)
    const unknown = await app.visitor.raw(getPublicItem, { token: 'A'.repeat(43) })
    for (const { link } of [shown, asked]) {
      const { status, body } = await app.visitor.raw(getPublicItem, { token: tokenOf(link) })
      expect([status, body]).toEqual([unknown.status, unknown.body])
    }
    expect((await submit()).status).toBe(401)
    await unsuspend(user)
    expect((await app.visitor.raw(getPublicItem, { token: tokenOf(shown.link) })).status).toBe(200)
    expect((await submit()).status).toBe(201)
  })

  it('hides shared folders from their members, who get them back afterwards', async () => {
    const file = await user.client.upload('a.txt', 'a', { folderId: folder })
    const member = await addTestMember(app, user, folder, 'editor')
    const open = await download(member.client, file.id)
    expect((await open()).status).toBe(200)
    const read = () =>
      Promise.all([
        member.client.raw(getFolder, { id: folder }).then(({ status }) => status),
        member.client.raw(listItems, { folderId: folder }).then(({ status }) => status),
        member.client.upload(`${randomUUID()}.txt`, 'x', { folderId: folder }).then(
          () => 200,
          () => 404,
        ),
        open().then(({ status }) => (status === 200 ? 200 : 404)),
        member.client.call(listSharedWithMe, {}).then(({ body }) => (body.folders.length > 0 ? 200 : 404)),
      ])
    expect(await read()).toEqual([200, 200, 200, 200, 200])
    await suspend(user)
    expect(await read()).toEqual([404, 404, 404, 404, 404])
    await unsuspend(user)
    expect(await read()).toEqual([200, 200, 200, 200, 200])
  })

  it('hides invitations and offers of folders until it ends', async () => {
    const { email, client } = await app.createUser()
    const { body: invitation } = await user.client.call(inviteMember, { id: folder, email, role: 'viewer' })
    const offered = (await user.client.call(createFolder, { folderName: 'Offered' })).body.id
    const member = await addTestMember(app, user, offered, 'manager')
    await user.client.call(offerHandOver, { id: offered, memberId: member.memberId })
    await suspend(user)
    expect((await client.raw(acceptInvitation, { id: invitation.id })).status).toBe(404)
    expect((await member.client.raw(acceptHandOver, { id: offered })).status).toBe(404)
    await unsuspend(user)
    expect((await client.raw(acceptInvitation, { id: invitation.id })).status).toBe(200)
    expect((await member.client.raw(acceptHandOver, { id: offered })).status).toBe(200)
  })

  it('refuses an invitation by a manager that was let in before', async () => {
    const manager = await addTestMember(app, user, folder, 'manager')
    const consume = vi.spyOn(app.services.rateLimits, 'consume')
    try {
      consume.mockImplementationOnce(async () => void (await suspend(user)))
      const invited = await manager.client.raw(inviteMember, { id: folder, email: 'late@example.com', role: 'viewer' })
      expect(invited).toMatchObject({ status: 404, body: { error: 'This folder was not found.' } })
    } finally {
      consume.mockRestore()
    }
  })

  it.each(['the owner', 'a member', 'a visitor of a link'])('refuses a file of %s that arrived before', async (by) => {
    const { body: asked } = await user.client.call(createLink, { id: folder, right: 'upload' })
    const { secret } = (await app.visitor.call(openSubmission, { token: tokenOf(asked.link) })).body
    const { client } =
      by === 'a member'
        ? await addTestMember(app, user, folder, 'editor')
        : by === 'the owner'
          ? user
          : { client: new TestClient(app.app, secret) }
    const write = app.services.blobs.writeWhole.bind(app.services.blobs)
    const writing = vi.spyOn(app.services.blobs, 'writeWhole')
    try {
      writing.mockImplementationOnce(async (...content) => {
        await suspend(user)
        return write(...content)
      })
      const fields = {
        uploadId: randomUUID(),
        filename: 'a.txt',
        chunkIndex: 0,
        totalChunks: 1,
        totalSize: 1,
        complete: true,
      }
      const folderId = by === 'a visitor of a link' ? {} : { folderId: folder }
      const { status, body } = await client.sendChunk({ ...fields, ...folderId }, 'x')
      expect(writing).toHaveBeenCalledOnce()
      const expected = {
        'the owner': [403, 'This account is suspended. Write to support@localhost to find out why.'],
        'a member': [404, 'This folder was not found.'],
        'a visitor of a link': [401, 'This link no longer accepts files.'],
      }
      expect([status, body.error]).toEqual(expected[by as keyof typeof expected])
    } finally {
      writing.mockRestore()
    }
  })

  it('is explained with the support address that administrators have set', async () => {
    const supportEmail = 'help@example.org'
    const password = await addAppPassword(app, user, { scope: 'write' })
    const manager = await app.createUser({ isAdmin: true })
    expect((await manager.client.call(updateAppearance, { supportEmail })).status).toBe(200)
    await suspend(user)
    const apps = await new DavClient(app.app, user.email, password.secret).send('PROPFIND', '', {})
    expect(apps.text).toContain(`Write to ${supportEmail}`)
    for (const { client } of [user, password]) {
      const { body } = await client.raw(getStorage, {})
      expect(body).toMatchObject({ error: expect.stringContaining(`Write to ${supportEmail}`) })
    }
    await manager.client.call(updateAppearance, { supportEmail: null })
  })

  it('ends what the user signed for the folders of others', async () => {
    const file = await user.client.upload('a.txt', 'a', { folderId: folder })
    const member = await addTestMember(app, user, folder, 'viewer')
    const open = await download(member.client, file.id)
    app.clock.advance(1)
    await suspend(member)
    expect((await open()).status).toBe(403)
    await unsuspend(member)
    expect((await open()).status).toBe(403)
  })

  it('ends sessions and signed addresses for good, and lets apps and new sessions work again', async () => {
    const file = await user.client.upload('a.txt', 'a')
    const open = await download(user.client, file.id)
    const { client } = await addAppPassword(app, user)
    await suspend(user)
    app.clock.advance(1)
    await unsuspend(user)
    expect((await user.client.raw(getStorage, {})).status).toBe(401)
    expect((await open()).status).toBe(403)
    expect((await client.raw(getStorage, {})).status).toBe(200)
    expect((await app.visitor.raw(login, { email: user.email, password: TEST_PASSWORD })).status).toBe(200)
  })

  it('ends links to reset the password', async () => {
    await app.visitor.call(forgotPassword, { email: user.email })
    const resetToken = await readToken(app, 'reset-password', user.email)
    const reset = () => app.visitor.raw(resetPassword, { resetToken, newPassword: 'Brandnew7' })
    await suspend(user)
    expect((await reset()).status).toBe(400)
    await unsuspend(user)
    expect((await reset()).status).toBe(400)
  })

  it('ends sign-ins that wait for a code', async () => {
    const { db } = app.services
    const challenge = { hash: randomUUID(), kind: 'code', user_id: user.id, expires_at: app.clock.now() + 1e6 } as const
    await db.insertInto('challenges').values(challenge).execute()
    await suspend(user)
    expect(await db.selectFrom('challenges').selectAll().where('user_id', '=', user.id).execute()).toEqual([])
  })

  it('refuses to complete an upload whose bytes have arrived, and to take bytes that are arriving', async () => {
    const uploadId = randomUUID()
    await user.client.sendChunk({ uploadId, filename: 'a', chunkIndex: 0, totalChunks: 1 }, 'x')
    await suspend(user)
    expect(await user.client.raw(completeUpload, { uploadId })).toMatchObject(refusal)
    // A request that was let in before the suspension gets this far.
    const adding = { config: app.services.config, user: { id: user.id, planName: 'free' } } as never
    const { db } = app.services
    await expect(db.transaction().execute((tx) => takeSpace(tx, adding, { used: 1, items: 1 }))).rejects.toThrow()
    await unsuspend(user)
    const { body } = await app.visitor.raw<SignedIn>(login, { email: user.email, password: TEST_PASSWORD })
    const client = new TestClient(app.app, body.token)
    expect((await client.raw(completeUpload, { uploadId, filename: 'a' })).status).toBe(201)
  })

  it('leaves the accounts of others alone', async () => {
    const other = await app.createUser()
    await suspend(user)
    expect((await other.client.raw(getStorage, {})).status).toBe(200)
  })
})

describe('requests that are running', () => {
  let url: string
  let user: TestUser
  beforeAll(async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
  })
  beforeEach(async () => {
    user = await app.createUser()
  })

  it('end as event streams', async () => {
    const { secret } = await addAppPassword(app, user)
    const readers = [await readEvents(url, user.token), await readEvents(url, secret)]
    await suspend(user)
    await endRevokedStreams(app.services)
    for (const reader of readers) await expect.poll(() => reader.isOpen()).toBe(false)
    expect((await readEvents(url, user.token)).response.status).toBe(403)
  })

  it.each(['a session', 'an app password'])('end within five seconds as an upload with %s', async (by) => {
    const token = by === 'a session' ? user.token : (await addAppPassword(app, user)).secret
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const upload = request(`${url}/api${calls.uploadChunk.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=x' },
      })
      upload.write('--x\r\n')
      upload.on('error', () => {})
      const ended = new Promise((resolve) => upload.once('close', resolve))
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
      await suspend(user)
      await vi.advanceTimersByTimeAsync(5_000)
      await ended
    } finally {
      vi.useRealTimers()
    }
  })

  it.each(['the owner', 'a visitor of a link'])('end within five seconds as a download by %s', async (by) => {
    const file = await user.client.upload('large.bin', 'x'.repeat(20_000_000))
    const signed = new URL((await user.client.call(getDownloadUrl, { id: file.id })).body.url)
    const { body } = await user.client.call(createLink, { id: file.id })
    const path =
      by === 'the owner' ? signed.pathname + signed.search : `/api/public/${tokenOf(body.link)}/content?download=1`
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const download = request(url + path).end()
      const [response] = (await once(download, 'response')) as [IncomingMessage]
      // Nobody reads yet, so most of the file is still on the server.
      response.pause()
      await suspend(user)
      await vi.advanceTimersByTimeAsync(5_000)
      await expect(buffer(response)).rejects.toThrow('aborted')
    } finally {
      vi.useRealTimers()
    }
  })
})
