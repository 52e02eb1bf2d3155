import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { listFiles } from '@alcove/contract/files'
import { afterEach, describe, expect, it } from 'vitest'
import { findFreePort } from '../../testing/engines/ports.ts'
import { type ServerProcess, startServerProcess } from '../../testing/engines/server-process.ts'
import { createTestApp, type TestApp } from '../../testing/engines/test-app.ts'

const TOKEN = 'a-token-of-some-length'

let app: TestApp | undefined
let server: ServerProcess | undefined
afterEach(async () => {
  await app?.close()
  await server?.stop()
  app = undefined
  server = undefined
})

async function readMetrics(of: TestApp, authorization?: string) {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
  const {
    status,
    bytes,
    headers: responseHeaders,
  } = await of.visitor.request({ method: 'GET', url: '/metrics', headers })
  return { status, text: String(bytes), type: responseHeaders['content-type'] }
}

/** Returns the value of a metric, whatever its labels. */
function readValue(text: string, name: string): number {
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(name))
      ?.split(' ')
      .at(-1),
  )
}

describe('GET /metrics', () => {
  it('returns 404 and collects no metrics if no token is configured', async () => {
    app = await createTestApp()
    expect((await readMetrics(app, `Bearer ${TOKEN}`)).status).toBe(404)
    expect(app.services.metrics).toBeUndefined()
  })

  it('rejects a missing or wrong metrics token, and a session token', async () => {
    app = await createTestApp({ metricsToken: TOKEN })
    for (const authorization of [undefined, '', TOKEN, `Bearer ${TOKEN}x`, 'Bearer ']) {
      const { status, text } = await readMetrics(app, authorization)
      expect([status, text]).toEqual([401, expect.not.stringContaining('alcove_')])
    }
    const { client } = await app.createUser()
    expect((await client.request({ method: 'GET', url: '/metrics' })).status).toBe(401)
  })

  it('reports requests by route and status, transferred bytes, uploads, jobs and stored data', async () => {
    app = await createTestApp({ metricsToken: TOKEN })
    const { client, token } = await app.createUser()
    await client.upload('a.bin', randomBytes(5000))
    await client.sendChunk(
      { uploadId: crypto.randomUUID(), filename: 'half', chunkIndex: 0, totalChunks: 2, totalSize: 9 },
      'abcde',
    )
    await client.call(listFiles, {})
    await client.call(listFiles, {})
    await app.visitor.call(listFiles, {})
    const job = { id: 'due', kind: 'some kind', payload: '{}', run_at: app.clock.now(), attempts: 0 }
    await app.services.db
      .insertInto('jobs')
      .values([job, { ...job, id: 'tried', attempts: 3, run_at: app.clock.now() + 1000 }])
      .execute()
    await app.services.db.updateTable('blobs').set({ damaged_at: app.clock.now() }).execute()
    await app.services.db.updateTable('scrub').set({ round_ended_at: 5000 }).execute()
    const first = await readMetrics(app, `Bearer ${TOKEN}`)
    expect([first.status, first.type]).toEqual([200, expect.stringContaining('text/plain')])
    const route = 'method="GET",route="/api/list"'.replace('/api/list', `/api${listFiles.path}`)
    expect(first.text).toContain(`alcove_request_duration_seconds_count{${route},status="200"} 2`)
    expect(first.text).toContain(`alcove_request_duration_seconds_count{${route},status="401"} 1`)
    expect(readValue(first.text, 'alcove_stored_bytes')).toBe(5000)
    expect(readValue(first.text, 'alcove_users')).toBe(1)
    expect(readValue(first.text, 'alcove_open_uploads')).toBe(1)
    expect(readValue(first.text, 'alcove_waiting_jobs')).toBe(1)
    expect(readValue(first.text, 'alcove_retried_jobs')).toBe(1)
    expect(readValue(first.text, 'alcove_damaged_blobs')).toBe(1)
    expect(readValue(first.text, 'alcove_last_scrub_timestamp_seconds')).toBe(5)
    expect(readValue(first.text, 'alcove_database_up')).toBe(1)
    expect(readValue(first.text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
    // No metric contains names, tokens or addresses of users.
    expect(first.text).not.toMatch(/a\.bin|@example\.com|half/)

    await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.app.server.address() as AddressInfo
    const form = new FormData()
    const fields = { uploadId: crypto.randomUUID(), filename: 'b', chunkIndex: '0', totalChunks: '1', complete: 'true' }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('chunk', new Blob([randomBytes(300_000)]))
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    await fetch(`http://127.0.0.1:${port}/api/upload-chunk`, { method: 'POST', headers, body: form })
    await (await fetch(`http://127.0.0.1:${port}/api/user-files/b`, { headers })).arrayBuffer()
    const readBytes = async (which: string) =>
      readValue((await readMetrics(app as TestApp, `Bearer ${TOKEN}`)).text, `alcove_${which}_bytes_total`)
    // The last bytes are counted a moment after they arrive.
    for (const which of ['received', 'sent']) {
      await expect.poll(() => readBytes(which)).toBeGreaterThan(300_000)
      expect(await readBytes(which)).toBeLessThan(310_000)
    }
  })

  it('reports alcove_database_up 0 when the database fails', async () => {
    app = await createTestApp({ metricsToken: TOKEN })
    await app.services.db.schema.alterTable('jobs').renameTo('lost').execute()
    const { status, text } = await readMetrics(app, `Bearer ${TOKEN}`)
    expect([status, readValue(text, 'alcove_database_up')]).toEqual([200, 0])
    await app.services.db.schema.alterTable('lost').renameTo('jobs').execute()
  })

  it('serves metrics on a separate port and counts logged errors', async () => {
    const port = await findFreePort()
    server = await startServerProcess({ ALCOVE_METRICS_PORT: String(port) })
    const read = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    expect(readValue(await read(), 'alcove_errors_total')).toBe(0)
    expect(await read()).toContain(
      'alcove_request_duration_seconds_count{method="GET",route="/api/health",status="200"}',
    )
    expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(404)
    const database = new DatabaseSync(join(server.dataDir, 'alcove.sqlite'))
    database.exec("insert into jobs (id, kind, payload, run_at) values ('lost', 'unknown kind', '{}', 1)")
    database.close()
    await server.crashAndRestart()
    await expect.poll(async () => readValue(await read(), 'alcove_errors_total')).toBe(1)
    expect(readValue(await read(), 'alcove_retried_jobs')).toBe(1)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404)
  })
})

describe('the request id', () => {
  it('returns a request id in every response, and adopts a well-formed one from a proxy', async () => {
    app = await createTestApp()
    const { visitor } = app
    const idOf = async (headers: Record<string, string> = {}) =>
      String((await visitor.request({ method: 'GET', url: '/api/nothing', headers })).headers['x-request-id'])
    const [first, second] = [await idOf(), await idOf()]
    expect(first).toMatch(/^[\w-]{8}-\w+$/)
    expect(second).not.toBe(first)
    expect(await idOf({ 'x-request-id': '7b0f3c1e9d2a4b5c8d7e6f5a4b3c2d1e' })).toBe('7b0f3c1e9d2a4b5c8d7e6f5a4b3c2d1e')
    for (const forged of ['short', 'with space in it', 'x'.repeat(65), '{"level":60}']) {
      expect(await idOf({ 'x-request-id': forged })).not.toBe(forged)
    }
    const user = await app.createUser()
    await user.client.upload('a.txt', 'abc')
    const bytes = await user.client.request({ method: 'GET', url: '/api/user-files/a.txt' })
    expect([bytes.status, bytes.headers['x-request-id']]).toEqual([200, expect.stringMatching(/^[\w-]{8}-\w+$/)])
  })
})
