import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { deleteAccount, logout, updatePassword } from '@alcove/contract/accounts'
import { revokeAppPassword } from '@alcove/contract/app-passwords'
import { createFolder, getStorage, renameFolder, trashFolder } from '@alcove/contract/files'
import { createLink } from '@alcove/contract/links'
import { createPlaylist } from '@alcove/contract/media'
import { changeMember, removeMember } from '@alcove/contract/members'
import { listNotices, readNotices } from '@alcove/contract/notices'
import { openSubmission } from '@alcove/contract/submissions'
import { restoreFolder } from '@alcove/contract/trash'
import { completeUpload } from '@alcove/contract/uploads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestClient } from '../../testing/clients/client.ts'
import { type EventReader, readEvents } from '../../testing/clients/event-reader.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import { addAppPassword } from '../../testing/factories/app-passwords.ts'
import { addTestMember } from '../../testing/factories/shares.ts'
import { TEST_PASSWORD, type TestUser } from '../../testing/factories/users.ts'
import { notify } from '../notices/index.ts'
import { endRevokedStreams, pollChanges, sendHeartbeats } from './stream-events.ts'

let app: TestApp
let url: string
let user: TestUser
const readers: EventReader[] = []

beforeAll(async () => {
  app = await createTestApp({ rateLimits: true })
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser({ planName: '2 TB Annually' })
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.close()
  await expect.poll(() => app.services.events.listeners().length).toBe(0)
})

/** Opens a stream, and waits for the current version. */
async function open(token = user.token, headers?: Record<string, string>): Promise<EventReader> {
  const reader = await readEvents(url, token, headers)
  readers.push(reader)
  if (reader.response.ok) await expect.poll(() => reader.events.length).toBe(1)
  return reader
}

const versionOf = async ({ client }: TestUser) => (await client.call(getStorage, {})).body.version
const addFolder = (folderName: string, { client } = user) => client.call(createFolder, { folderName })
const changes = (version: string) => ({ type: 'changes', version })

describe('the event stream', () => {
  it('sends the current version at once, in a format that no proxy may buffer, compress or cache', async () => {
    const { response, events, text } = await open(user.token, { 'last-event-id': '1.2.3', 'accept-encoding': 'br' })
    const version = await versionOf(user)
    expect(events).toEqual([changes(version)])
    const changed = `data: {"type":"changes","version":"${version}"}\n\n`
    const shared = `data: {"type":"shared","version":"0"}\n\n`
    const others = `data: {"type":"notices","unread":0}\n\ndata: {"type":"announcement","announcement":null}\n\n`
    await expect.poll(text).toBe(`retry: 3000\n\n${changed}${shared}${others}`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(response.headers.get('content-encoding')).toBeNull()
  })

  it('sends the new version after a change by another session, without a poll', async () => {
    const reader = await open()
    const phone = await addAppPassword(app, user)
    await phone.client.call(createFolder, { folderName: 'From the phone' })
    await expect.poll(() => reader.events.length).toBe(2)
    expect(reader.events.at(-1)).toEqual(changes(await versionOf(user)))
  })

  it('sends no events about changes of another user', async () => {
    const reader = await open()
    const other = await app.createUser()
    const theirs = await open(other.token)
    await addFolder('Theirs', other)
    await expect.poll(() => theirs.events.length).toBe(2)
    await pollChanges(app.services)
    await addFolder('Mine')
    await expect.poll(() => reader.events.length).toBe(2)
    expect(reader.events.at(-1)).toEqual(changes(await versionOf(user)))
    expect(theirs.events).toHaveLength(2)
  })

  it('finds changes that others made in the database by polling, and sends each once', async () => {
    const reader = await open()
    await app.services.db.updateTable('users').set({ plan_id: 3 }).where('id', '=', user.id).execute()
    await pollChanges(app.services)
    await pollChanges(app.services)
    await addFolder('Next')
    await expect.poll(() => reader.events.length).toBe(3)
    expect(reader.events[1]?.version).toMatch(/\.3\./)
  })

  it('sends the number of unread notices at once and when it changes, but not to app passwords', async () => {
    const { secret } = await addAppPassword(app, user)
    const { unread, notices } = (await user.client.call(listNotices, {})).body
    const [reader, ofApp] = [await open(), await open(secret)]
    await expect.poll(() => reader.unread).toEqual([unread])
    const data = { percent: 80, usedBytes: 8, allocatedBytes: 10 } as const
    const { db } = app.services
    await db.transaction().execute((tx) => notify(app.services, tx, user.id, { kind: 'storage', data }))
    await pollChanges(app.services)
    await expect.poll(() => reader.unread).toEqual([unread, unread + 1])
    await user.client.call(readNotices, { noticeIds: notices.map(({ id }) => id) })
    await pollChanges(app.services)
    await expect.poll(() => reader.unread).toEqual([unread, unread + 1, 1])
    expect(ofApp.unread).toEqual([])
  })

  it('polls for all users with one statement', async () => {
    const others = await Promise.all([1, 2, 3].map(() => app.createUser()))
    const all = await Promise.all([user, ...others].map(({ token }) => open(token)))
    for (const { id } of others) {
      await app.services.db.updateTable('users').set({ plan_id: 3 }).where('id', '=', id).execute()
    }
    await pollChanges(app.services)
    await expect.poll(() => all.map(({ events }) => events.length)).toEqual([1, 2, 2, 2])
  })

  it('sends an event to 200 streams of 20 users', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => app.createUser()))
    const all = await Promise.all(users.flatMap(({ token }) => Array.from({ length: 10 }, () => open(token))))
    await Promise.all(users.map((one) => addFolder('For all', one)))
    await expect.poll(() => all.filter(({ events }) => events.length === 2).length).toBe(200)
  })

  it('responds to HEAD without opening a stream', async () => {
    const response = await fetch(`${url}/api/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${user.token}` },
    })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(app.services.events.listeners()).toEqual([])
  })
})

describe('the events about shared folders', () => {
  /** Shares a folder of the user with somebody who has a stream open. */
  async function share() {
    const folder = (await addFolder('Shared')).body
    const member = await addTestMember(app, user, folder.id, 'editor')
    const reader = await open(member.token)
    await expect.poll(() => reader.shared.length).toBe(1)
    return { folder, member, reader }
  }

  /** Returns the version after the next poll. It is the one of `GET /storage`. */
  async function nextVersion(member: TestUser, reader: EventReader): Promise<string | undefined> {
    const before = reader.shared.length
    await pollChanges(app.services)
    await expect.poll(() => reader.shared.length).toBe(before + 1)
    const { shared_version } = (await member.client.call(getStorage, {})).body
    expect(reader.shared.at(-1)).toBe(shared_version)
    return shared_version
  }

  it('tell a member about each change in the folder, at any depth, by whoever made it', async () => {
    const { folder, member, reader } = await share()
    const inside = await user.client.call(createFolder, { folderName: 'Inside', parentFolderId: folder.id })
    const seen = [await nextVersion(member, reader)]
    await user.client.upload('deep.txt', 'x', { folderId: inside.body.id })
    seen.push(await nextVersion(member, reader))
    await member.client.call(renameFolder, { id: inside.body.id, newName: 'Renamed' })
    seen.push(await nextVersion(member, reader))
    app.clock.advance(1)
    await user.client.call(renameFolder, { id: folder.id, newName: 'Trip' })
    seen.push(await nextVersion(member, reader))
    expect(new Set(seen).size).toBe(4)
  })

  it('tell a member about another role, the trash, and the end of access', async () => {
    const { folder, member, reader } = await share()
    await user.client.call(changeMember, { id: folder.id, memberId: member.memberId, role: 'viewer' })
    await nextVersion(member, reader)
    await user.client.call(trashFolder, { id: folder.id })
    expect(await nextVersion(member, reader)).toBe('0')
    await user.client.call(restoreFolder, { id: folder.id })
    await nextVersion(member, reader)
    await user.client.call(removeMember, { id: folder.id, memberId: member.memberId })
    expect(await nextVersion(member, reader)).toBe('0')
  })

  it('tell nothing about what lies outside the folder, and app passwords nothing at all', async () => {
    const { member, reader } = await share()
    const { secret } = await addAppPassword(app, member)
    const ofApp = await open(secret)
    const before = reader.shared
    await addFolder('Beside it')
    await pollChanges(app.services)
    await addFolder('Mine', member)
    await expect.poll(() => reader.events.length).toBe(2)
    expect(reader.shared).toEqual(before)
    expect(ofApp.shared).toEqual([])
  })
})

describe('the header of a change', () => {
  type Responses = readonly { headers: Record<string, unknown> }[]
  const changedBy = async (response: Promise<Responses[number]>) => changesIn([await response])
  const changesIn = (responses: Responses) =>
    responses.flatMap(({ headers }) => String(headers['alcove-changed'] ?? '').split(', '))

  /** Follows the changes from a version, as the web does. Returns the version at which they end. */
  function follow(version: string, responses: Responses): string {
    const steps = new Map(changesIn(responses).map((change) => change.split(' ') as [string, string]))
    let at = version
    for (let next = steps.get(at); next !== undefined; next = steps.get(at)) at = next
    return at
  }

  it('contains the versions before and after the change, so that the web knows its own', async () => {
    const before = await versionOf(user)
    const changed = await changedBy(addFolder('One'))
    const between = await versionOf(user)
    expect(changed).toEqual([`${before} ${between}`])
    expect(await changedBy(user.client.call(createPlaylist, { name: 'Slow', track_ids: [] }))).toEqual([
      `${between} ${await versionOf(user)}`,
    ])
  })

  it('covers the reservation, the file and several files of a form', async () => {
    const chunk = { uploadId: randomUUID(), filename: 'a.bin', chunkIndex: 0, totalChunks: 1, totalSize: 140_000 }
    const small = { uploadId: randomUUID(), filename: 'b.txt', size: 1 }
    const before = await versionOf(user)
    const responses = [
      await user.client.sendChunk(chunk, 'x'.repeat(140_000)),
      await user.client.call(completeUpload, { uploadId: chunk.uploadId }),
      await user.client.sendFiles([small, { ...small, uploadId: randomUUID(), filename: 'c.txt' }], 'bc'),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 201, 200])
    expect(follow(before, responses)).toBe(await versionOf(user))
  })

  it('covers concurrent changes of one session, of which some fail', async () => {
    const before = await versionOf(user)
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => addFolder(`Folder ${index % 30}`)))
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(10)
    expect(follow(before, responses)).toBe(await versionOf(user))
  })

  it('does not cover changes of other sessions that share a transaction with those of one', async () => {
    const phone = (await addAppPassword(app, user)).client
    const before = await versionOf(user)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? phone : user.client).call(createFolder, { folderName: `${index}` }),
      ),
    )
    expect(responses.every(({ status }) => status === 201)).toBe(true)
    expect(follow(before, responses)).not.toBe(await versionOf(user))
  })

  it('is missing after a failed change, a read and a change by an app', async () => {
    await addFolder('Taken')
    for (const response of [
      await addFolder('Taken'),
      await user.client.call(getStorage, {}),
      await (await addAppPassword(app, user)).client.call(createFolder, { folderName: 'By an app' }),
    ]) {
      expect(response.headers['alcove-changed']).toBeUndefined()
    }
  })
})

describe('the end of a stream', () => {
  const endings: Record<string, (other: TestUser['client']) => Promise<{ status: number }>> = {
    'signing out': (client) => client.call(logout, {}),
    'deleting the account': (client) => client.call(deleteAccount, {}),
  }

  it.each(Object.entries(endings))('follows %s', async (_what, end) => {
    const reader = await open()
    await endRevokedStreams(app.services)
    expect(reader.isOpen()).toBe(true)
    expect((await end(user.client)).status).toBe(200)
    await endRevokedStreams(app.services)
    await expect.poll(reader.isOpen).toBe(false)
  })

  it('follows a password change in the other sessions only', async () => {
    const other = await app.visitor.raw<{ token: string }>(
      { ...updatePassword, path: '/login', method: 'POST' },
      { email: user.email, password: TEST_PASSWORD },
    )
    const [mine, theirs] = [await open(), await open(other.body.token)]
    await user.client.call(updatePassword, { currentPassword: TEST_PASSWORD, newPassword: 'Brand@new7' })
    await endRevokedStreams(app.services)
    await expect.poll(theirs.isOpen).toBe(false)
    expect(mine.isOpen()).toBe(true)
  })

  it('follows the revocation and the expiry of an app password', async () => {
    const expiresAt = new Date(app.clock.now() + 60_000).toISOString()
    const [revoked, expiring] = [await addAppPassword(app, user), await addAppPassword(app, user, { expiresAt })]
    const [one, two] = [await open(revoked.secret), await open(expiring.secret)]
    await user.client.call(revokeAppPassword, { id: revoked.id })
    await endRevokedStreams(app.services)
    await expect.poll(one.isOpen).toBe(false)
    expect(two.isOpen()).toBe(true)
    app.clock.advance(60_000)
    await endRevokedStreams(app.services)
    await expect.poll(two.isOpen).toBe(false)
  })

  it('comes after half an hour, so that its client extends the session', async () => {
    const reader = await open()
    app.clock.advance(24 * 60_000 - 1000)
    await endRevokedStreams(app.services)
    expect(reader.isOpen()).toBe(true)
    app.clock.advance(6 * 60_000 + 1000)
    await endRevokedStreams(app.services)
    await expect.poll(reader.isOpen).toBe(false)
  })
})

describe('app passwords', () => {
  it('read events with the scopes read and write, but not upload', async () => {
    const statuses = { read: 200, write: 200, upload: 403 } as const
    for (const scope of ['read', 'write', 'upload'] as const) {
      const { secret } = await addAppPassword(app, user, { scope })
      expect((await open(secret)).response.status).toBe(statuses[scope])
    }
  })

  it('of one folder learn nothing about changes of the user', async () => {
    const folderId = (await addFolder('Only this')).body.id
    const { secret } = await addAppPassword(app, user, { folderId })
    const reader = await readEvents(url, secret)
    readers.push(reader)
    const mine = await open()
    await addFolder('Outside')
    await expect.poll(() => mine.events.length).toBe(2)
    await pollChanges(app.services)
    await sendHeartbeats(app.services)
    await expect.poll(reader.text).toContain('still here')
    expect(reader.events).toEqual([])
  })
})

describe('a visitor who sends files through a link', () => {
  it('can read no events and learns no version, while the owner gets an event', async () => {
    const folder = (await addFolder('Wedding')).body
    const { link } = (await user.client.call(createLink, { id: folder.id, right: 'upload' })).body
    const token = link.slice(link.lastIndexOf('/') + 1)
    const { secret } = (await app.visitor.call(openSubmission, { token })).body
    expect((await open(secret)).response.status).toBe(403)
    const mine = await open()
    const chunk = {
      uploadId: randomUUID(),
      filename: 'a.jpg',
      chunkIndex: 0,
      totalChunks: 1,
      totalSize: 1,
      complete: true,
    }
    const sent = await new TestClient(app.app, secret).sendChunk(chunk, 'x')
    expect(sent.status).toBe(201)
    expect(sent.headers['alcove-changed']).toBeUndefined()
    await expect.poll(() => mine.events.at(-1)).toEqual(changes(await versionOf(user)))
    expect(mine.events.length).toBeGreaterThan(1)
  })
})

describe('the limits of streams', () => {
  it('allow 20 per user, and refuse more with Retry-After until one is closed', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => open()))
    const refused = await open()
    expect([refused.response.status, refused.response.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await refused.response.json()).toMatchObject({ code: 'too_many_requests' })
    const other = await app.createUser()
    expect((await open(other.token)).response.status).toBe(200)
    all[0]?.close()
    await expect.poll(async () => (await open()).response.status).toBe(200)
  })

  it('allow 200 per address, and count networks of IPv6 as one', async () => {
    const users = await Promise.all(Array.from({ length: 11 }, () => app.createUser()))
    const from = (index: number) => ({ 'x-forwarded-for': `2001:db8:1:2::${(index + 1).toString(16)}` })
    const all = await Promise.all(
      users.slice(0, 10).flatMap(({ token }) => Array.from({ length: 20 }, (_, index) => open(token, from(index)))),
    )
    expect(all.every(({ response }) => response.ok)).toBe(true)
    const token = users[10]?.token
    expect((await open(token, from(500))).response.status).toBe(429)
    expect((await open(token, { 'x-forwarded-for': '2001:db8:1:3::1' })).response.status).toBe(200)
  })
})

describe('slow and dead connections', () => {
  it('leave nothing behind if they end before the stream has begun', async () => {
    const sockets = Array.from({ length: 15 }, () => connect(Number(new URL(url).port), '127.0.0.1'))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    for (const [index, socket] of sockets.entries()) {
      socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\n\r\n`)
      setTimeout(() => socket.destroy(), index)
    }
    await Promise.all(sockets.map((socket) => once(socket, 'close')))
    await addFolder('Meanwhile')
    await expect.poll(() => app.services.events.listeners().length).toBe(0)
    expect((await open()).response.status).toBe(200)
  })

  it('get a comment at each heartbeat', async () => {
    const reader = await open()
    await sendHeartbeats(app.services)
    await expect.poll(reader.text).toMatch(/: still here\n\n$/)
  })

  it('keep only the newest event, and are closed if they read nothing between heartbeats', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.write(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\n\r\n`)
    socket.on('error', () => {})
    await expect.poll(() => app.services.events.listeners().length).toBe(1)
    socket.pause()
    // Far more than the buffers of both sides hold.
    const version = 'x'.repeat(1_000_000)
    const [[stream] = []] = app.services.events.listeners()
    for (let index = 0; index < 30; index++) {
      app.services.events.publish(user.id, { type: 'changes', version: `${version}${index}` })
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(stream?.readableLength).toBeLessThan(3_000_000)
    for (let beat = 0; beat < 2; beat++) await sendHeartbeats(app.services)
    await expect.poll(() => app.services.events.listeners().length).toBe(0)
    socket.destroy()
  })
})
