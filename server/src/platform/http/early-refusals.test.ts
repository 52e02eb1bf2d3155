import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { trashFile } from '@alcove/contract/files'
import { MEBIBYTE } from '@alcove/contract/limits'
import { updatePlaylist } from '@alcove/contract/media'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'
import type { TestUser } from '../../testing/factories/users.ts'

let app: TestApp
let port: number
let user: TestUser
beforeAll(async () => {
  app = await createTestApp()
  port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.close())
beforeEach(async () => {
  user = await app.createUser()
})

/** Opens a connection and collects the status lines that arrive on it. */
async function open() {
  const socket = connect(port, '127.0.0.1')
  const state = { text: '', failure: undefined as Error | undefined }
  socket.on('data', (bytes: Buffer) => (state.text += bytes.toString('latin1')))
  socket.on('error', (error) => (state.failure = error))
  await new Promise((resolve) => socket.once('connect', resolve))
  const statuses = () => [...state.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  return { socket, state, statuses }
}

const write = (socket: Socket, bytes: string | Buffer) =>
  new Promise<void>((resolve) => socket.write(bytes, () => resolve()))

const head = (path: string, headers: Record<string, string | number>) =>
  `${[
    `POST /api${path} HTTP/1.1`,
    'Host: localhost',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')}\r\n\r\n`

const multipart = 'multipart/form-data; boundary=b'
const chunkForm = (fields: Record<string, string | number>) =>
  `${Object.entries(fields)
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--b\r\nContent-Disposition: form-data; name="chunk"; filename="x"\r\n\r\n`

describe('a request that is refused before its body arrives', () => {
  const size = 8 * MEBIBYTE
  const bytes = Buffer.alloc(size, 'x')
  const cases: [string, number, () => Promise<{ path: string; headers: Record<string, string>; start?: string }>][] = [
    ['no session', 401, async () => ({ path: '/upload-chunk', headers: { 'content-type': multipart } })],
    [
      'a JSON body that is too large',
      413,
      async () => ({ path: '/login', headers: { 'content-type': 'application/json' } }),
    ],
    [
      'an unsupported content type',
      400,
      async () => ({ path: '/login', headers: { 'content-type': 'application/x' } }),
    ],
    ['an unknown address', 404, async () => ({ path: '/nothing', headers: { 'content-type': 'application/json' } })],
    [
      'no paid plan',
      403,
      async () => ({
        path: '/playlists',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${user.token}` },
      }),
    ],
    [
      'a malformed form',
      400,
      async () => ({
        path: '/upload-chunk',
        headers: { 'content-type': multipart, authorization: `Bearer ${user.token}` },
      }),
    ],
    [
      'a chunk beyond the quota',
      413,
      async () => {
        await app.services.db.updateTable('users').set({ allocated_bytes: 10 }).where('id', '=', user.id).execute()
        const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 2 }
        const headers = { 'content-type': multipart, authorization: `Bearer ${user.token}` }
        return { path: '/upload-chunk', headers, start: chunkForm(fields) }
      },
    ],
    [
      'a chunk for a missing folder',
      404,
      async () => {
        const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 2, folderId: randomUUID() }
        const headers = { 'content-type': multipart, authorization: `Bearer ${user.token}` }
        return { path: '/upload-chunk', headers, start: chunkForm(fields) }
      },
    ],
  ]

  it.each(cases)('gets a response on a connection that stays open: %s', async (_name, status, prepare) => {
    const { path, headers, start = '' } = await prepare()
    const { socket, state, statuses } = await open()
    const length = start.length + size
    await write(socket, head(path, { ...headers, 'content-length': length }) + start)
    await write(socket, bytes)
    await expect.poll(() => [...statuses(), state.failure]).toEqual([status, undefined])
    await write(socket, `${head('/login', { 'content-type': 'application/json', 'content-length': 2 })}{}`)
    await expect.poll(() => [...statuses(), state.failure]).toEqual([status, 400, undefined])
    socket.destroy()
  })

  it('gets a response on a connection that stays open: a disk that is full during a chunk', async () => {
    const { blobs } = app.services
    const writeChunk = blobs.writeChunk.bind(blobs)
    blobs.writeChunk = async (_key, _place, body) => {
      for await (const _ of body) break
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    }
    try {
      const { socket, state, statuses } = await open()
      const fields = { uploadId: randomUUID(), filename: 'a', chunkIndex: 0, totalChunks: 2 }
      const start = chunkForm(fields)
      const headers = { 'content-type': multipart, authorization: `Bearer ${user.token}` }
      await write(socket, head('/upload-chunk', { ...headers, 'content-length': start.length + size }) + start)
      await write(socket, bytes)
      await expect.poll(() => [...statuses(), state.failure]).toEqual([507, undefined])
      await write(socket, `${head('/login', { 'content-type': 'application/json', 'content-length': 2 })}{}`)
      await expect.poll(() => [...statuses(), state.failure]).toEqual([507, 400, undefined])
      socket.destroy()
    } finally {
      blobs.writeChunk = writeChunk
    }
  })
})

describe('request bodies in memory', () => {
  it('rejects callers without a session before their bodies arrive', async () => {
    const connections = await Promise.all(Array.from({ length: 50 }, open))
    const json = { 'content-type': 'application/json', 'content-length': 5 * MEBIBYTE }
    for (const { socket } of connections) await write(socket, `${head('/items/move', json)}{"itemIds":[`)
    for (const { socket, statuses } of connections) {
      await expect.poll(statuses).toEqual([401])
      socket.destroy()
    }
  })

  it('limits the bodies in flight per caller and accepts more once they are done', async () => {
    const headers = {
      'content-type': 'application/json',
      'content-length': 5 * MEBIBYTE,
      authorization: `Bearer ${user.token}`,
    }
    const start = async () => {
      const connection = await open()
      await write(connection.socket, `${head('/items/move', headers)}{"itemIds":[`)
      return connection
    }
    const connections = [await start(), await start(), await start(), await start()]
    // Sessions are looked up concurrently, so any of the requests may be the last one.
    await expect.poll(() => connections.flatMap(({ statuses }) => statuses())).toEqual([429])
    expect(connections.map(({ state }) => state.text).join()).toMatch(/retry-after: 5/i)
    for (const { socket } of connections) socket.destroy()
    await expect
      .poll(async () => {
        const again = await start()
        const isTaken = await new Promise((resolve) => {
          again.socket.once('data', () => resolve(false))
          setTimeout(() => resolve(true), 200)
        })
        again.socket.destroy()
        return isTaken
      })
      .toBe(true)
  })
})

describe('the input of a call', () => {
  it('ignores the query of calls that change something', async () => {
    const response = await app.visitor.request({
      method: 'POST',
      url: '/api/register?email=query@example.com&password=Correct-horse-7',
    })
    expect(response.status).toBe(400)
    const { id } = await user.client.upload('a', 'x')
    const renamed = await user.client.request({ method: 'POST', url: `/api/rename/a?newName=b`, payload: {} })
    expect(renamed.status).toBe(400)
    expect((await user.client.call(trashFile, { id })).status).toBe(200)
  })

  it('reads the input of DELETE from the query or the body', async () => {
    const { id } = await user.client.upload('a', 'x')
    for (const request of [
      { url: `/api/favorite?itemType=file&itemId=${id}` },
      { url: '/api/favorite', payload: { itemType: 'file', itemId: id } },
    ]) {
      expect((await user.client.request({ method: 'DELETE', ...request })).status).toBe(200)
    }
  })

  it('rejects a JSON body that is not an object', async () => {
    const paid = await app.createUser({ planName: '2 TB Annually' })
    const url = `/api${updatePlaylist.path.replace('{id}', randomUUID())}`
    for (const payload of ['5', '"x"', '[]', 'true']) {
      const headers = { 'content-type': 'application/json' }
      const response = await paid.client.request({ method: 'PUT', url, payload, headers })
      expect([payload, response.status]).toEqual([payload, 400])
    }
  })
})

describe('JSON responses', () => {
  it('compresses large responses for clients that accept it', async () => {
    for (let index = 0; index < 12; index += 1) await user.client.upload(`file ${index}`, 'x')
    const list = (encoding: string) =>
      fetch(`http://127.0.0.1:${port}/api/files`, {
        headers: { authorization: `Bearer ${user.token}`, 'accept-encoding': encoding },
      })
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['identity', null],
    ] as const) {
      const response = await list(accepted)
      expect([accepted, response.headers.get('content-encoding')]).toEqual([accepted, encoding])
      expect(response.headers.get('vary')).toContain('Accept-Encoding')
      expect(((await response.json()) as { files: object[] }).files).toHaveLength(12)
    }
    const small = await fetch(`http://127.0.0.1:${port}/api/health`, { headers: { 'accept-encoding': 'br' } })
    expect(small.headers.get('content-encoding')).toBeNull()
  })
})
