import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { findFreePort } from './testing/engines/ports.ts'
import { type ServerProcess, spawnServer, startServerProcess } from './testing/engines/server-process.ts'
import { TEST_PASSWORD } from './testing/factories/users.ts'

let server: ServerProcess | undefined
afterEach(async () => {
  await server?.stop()
  server = undefined
})

async function post(url: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** Registers, opens the link of the mail, signs in, and returns the session token. */
async function signIn({ url, dataDir }: ServerProcess): Promise<string> {
  const credentials = { email: 'mara@example.com', password: TEST_PASSWORD }
  expect((await post(`${url}/api/register`, credentials)).status).toBe(201)
  const [mail] = await readdir(join(dataDir, 'outbox'))
  const text = await readFile(join(dataDir, 'outbox', mail as string), 'utf8')
  const token = /activate\?token=([\w-]+)/.exec(text)?.[1]
  expect((await post(`${url}/api/activate`, { token })).status).toBe(200)
  return String((await post(`${url}/api/login`, credentials)).body.token)
}

function chunkForm(
  uploadId: string,
  chunkIndex: number,
  totalChunks: number,
  chunk: Uint8Array<ArrayBuffer>,
): FormData {
  const form = new FormData()
  const fields = { uploadId, filename: 'film.mp4', chunkIndex, totalChunks }
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('chunk', new Blob([chunk]))
  return form
}

describe('the server', () => {
  it('resumes an upload from the stored chunks after being killed in the middle of a chunk', async () => {
    server = await startServerProcess()
    const token = await signIn(server)
    const authorization = `Bearer ${token}`
    const chunks = [randomBytes(300_000), randomBytes(300_000), randomBytes(70_000)] as const
    const uploadId = randomUUID()
    const send = (index: 0 | 1 | 2) =>
      fetch(`${server?.url}/api/upload-chunk`, {
        method: 'POST',
        headers: { authorization },
        body: chunkForm(uploadId, index, 3, chunks[index]),
      })
    expect((await send(0)).status).toBe(200)

    // The second chunk is cut off half-way by the crash.
    const encoded = new Response(chunkForm(uploadId, 1, 3, chunks[1]))
    const body = Buffer.from(await encoded.arrayBuffer())
    const headers = {
      authorization,
      'content-type': String(encoded.headers.get('content-type')),
      'content-length': body.length,
    }
    const request = http.request(`${server.url}/api/upload-chunk`, { method: 'POST', headers })
    request.on('error', () => {})
    request.write(body.subarray(0, body.length / 2))
    await new Promise((resolve) => setTimeout(resolve, 200))
    await server.crashAndRestart()

    const resumed = await fetch(`${server.url}/api/upload/${uploadId}`, { headers: { authorization } })
    expect(await resumed.json()).toMatchObject({ received: [0], totalChunks: 3 })
    for (const index of [1, 2] as const) expect((await send(index)).status).toBe(200)
    expect((await post(`${server.url}/api/upload-complete`, { uploadId }, token)).status).toBe(201)
    const stored = await fetch(`${server.url}/api/fetch-file?filename=film.mp4`, { headers: { authorization } })
    expect(Buffer.from(await stored.arrayBuffer()).equals(Buffer.concat(chunks))).toBe(true)
  })

  it('finishes requests in progress after SIGTERM and exits with 0', async () => {
    server = await startServerProcess()
    const token = await signIn(server)
    const encoded = new Response(chunkForm(randomUUID(), 0, 1, Buffer.alloc(2_000_000)))
    const body = Buffer.from(await encoded.arrayBuffer())
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': String(encoded.headers.get('content-type')),
      'content-length': body.length,
      // Makes the server respond with 100 when it begins to process the request.
      expect: '100-continue',
    }
    const request = http.request(`${server.url}/api/upload-chunk`, { method: 'POST', headers })
    request.flushHeaders()
    await once(request, 'continue')
    request.write(body.subarray(0, 1_000_000))
    const exited = once(server.process, 'exit')
    server.process.kill('SIGTERM')
    await new Promise((resolve) => setTimeout(resolve, 300))
    const responded = once(request, 'response') as Promise<[http.IncomingMessage]>
    request.end(body.subarray(1_000_000))
    const [response] = await responded
    response.resume()
    expect(response.statusCode).toBe(200)
    expect(await exited).toEqual([0, null])
  })

  it('creates its data folder and secret without permissions for other users', async () => {
    server = await startServerProcess()
    expect((await stat(server.dataDir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(server.dataDir, 'secret'))).mode & 0o777).toBe(0o600)
  })

  it('logs one line per request, without names, tokens or addresses', async () => {
    server = await startServerProcess()
    const token = await signIn(server)
    await fetch(`${server.url}/api/fetch-file?filename=my-secret-name`, {
      headers: { authorization: `Bearer ${token}` },
    })
    await fetch(`${server.url}/api/validate-password/very-secret-token`)
    const lines = () =>
      server
        ?.output()
        .split('\n')
        .filter((line) => line.includes('"route"')) ?? []
    await expect.poll(() => lines().some((line) => line.includes('/api/validate-password'))).toBe(true)
    expect(lines().some((line) => line.includes('/api/fetch-file'))).toBe(true)
    expect(lines().join()).not.toMatch(/secret-name|secret-token|mara@|eyJ/)
  })
})

describe('alcove.env in the working folder', () => {
  it('sets up the server, which logs a warning if other users can read secrets in it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'alcove-folder-'))
    const port = await findFreePort()
    const lines = [`PORT=${port}`, 'ALCOVE_DATA_DIR=here', 'ALCOVE_SECRET=sixteen-letters-x']
    await writeFile(join(folder, 'alcove.env'), lines.join('\n'), { mode: 0o644 })
    const { child, output } = spawnServer({}, undefined, folder)
    await expect.poll(output).toContain(`Alcove is at http://localhost:${port}`)
    expect(output()).toMatch(/alcove\.env can be read by other users \(mode 644\), and contains ALCOVE_SECRET\./)
    expect(output()).not.toContain('sixteen')
    expect(await readdir(join(folder, 'here'))).toContain('alcove.sqlite')
    child.kill('SIGTERM')
    expect((await once(child, 'close'))[0]).toBe(0)
    await rm(folder, { recursive: true })
  })

  it('keeps the server from starting if it has a mistake, with one line that names the line of the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'alcove-folder-'))
    await writeFile(join(folder, 'alcove.env'), 'PORT=5200\nALCOVE_SESSION_TTL=forever\n')
    const { child, output } = spawnServer({}, undefined, folder)
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(output()).toMatch(/^\S+alcove\.env, line 2: ALCOVE_SESSION_TTL must be a number and a unit, [^\n]*\n$/)
    await rm(folder, { recursive: true })
  })
})

describe('the log of the server', () => {
  const settings = { ALCOVE_LOG_FORMAT: 'text' }

  /** Sends a request that succeeds, and one that fails to sign in; then stops the server. Returns its lines. */
  async function useAndStop(environment: Record<string, string>): Promise<string[]> {
    server = await startServerProcess(environment)
    await fetch(`${server.url}/api/plans`)
    await post(`${server.url}/api/login`, { email: 'nobody@example.com', password: TEST_PASSWORD })
    await server.stop()
    return server.output().trimEnd().split('\n')
  }

  it('is JSON with a line for each request if standard output is not a terminal', async () => {
    const entries = (await useAndStop({})).map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries.find(({ route }) => route === '/api/plans')).toMatchObject({ level: 30, status: 200 })
    expect(entries.find(({ security }) => security === 'sign_in_failed')).toMatchObject({ level: 40 })
    expect(entries.at(-1)?.msg).toBe('Alcove has stopped')
  })

  it('is text without requests if ALCOVE_LOG_FORMAT is text, and says which address to open', async () => {
    const lines = await useAndStop(settings)
    expect(lines.filter((line) => /Alcove is at http:\/\/localhost:\d+ /.test(line)).length).toBe(1)
    expect(lines.filter((line) => /Warning {2}Sign-in failed: .* account=nobody@example\.com$/.test(line)).length).toBe(
      1,
    )
    expect(lines.join('\n')).not.toMatch(/\/api\/(plans|login|health)/)
    expect(lines.at(-1)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Alcove has stopped$/)
  })

  it('has a line of text for each request if ALCOVE_LOG_LEVEL is debug', async () => {
    const lines = await useAndStop({ ...settings, ALCOVE_LOG_LEVEL: 'debug' })
    expect(lines.filter((line) => /GET \/api\/plans 200 [\d.]+ ms {2}id=\S+$/.test(line)).length).toBe(1)
    expect(lines.filter((line) => /POST \/api\/login 401 /.test(line)).length).toBe(1)
  })

  it('has only warnings and errors if ALCOVE_LOG_LEVEL is warn', async () => {
    for (const environment of [{}, settings]) {
      const lines = await useAndStop({ ...environment, ALCOVE_LOG_LEVEL: 'warn' })
      expect(lines.length).toBe(1)
      expect(lines[0]).toContain('Sign-in failed')
    }
  })
})

/** Starts a server that is expected to fail with these settings, on its own port and data folder. Returns its output. */
async function failToStart(environment: Record<string, string>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alcove-server-'))
  const PORT = String(await findFreePort())
  const { child, output } = spawnServer({ PORT, ALCOVE_DATA_DIR: dataDir, ...environment })
  // On 'close' all of its output has arrived, unlike on 'exit'.
  expect((await once(child, 'close'))[0]).toBe(1)
  await rm(dataDir, { recursive: true })
  return output()
}

describe('starting the server', () => {
  it.each([
    [{ PORT: 'many' }, /^PORT must be a port number\.\n$/],
    [{ ALCOVE_SESSION_TTL: '7 days' }, /^ALCOVE_SESSION_TTL must be a number and a unit, like 15m, 12h or 7d\.\n$/],
    [
      { ALCOVE_DATABASE_URL: 'mysql://x' },
      /^ALCOVE_DATABASE_URL must be a URL that starts with postgres:\/\/ or postgresql:\/\/\.\n$/,
    ],
  ])('fails with one line that explains the invalid setting %j', async (environment, line) => {
    const { child, output } = spawnServer(environment as Record<string, string>)
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(output()).toMatch(line)
  })

  it('fails with one line if the database was used by a newer version', async () => {
    server = await startServerProcess()
    await server.kill()
    const database = new DatabaseSync(join(server.dataDir, 'alcove.sqlite'))
    database.exec(`insert into kysely_migration values ('999-of-tomorrow', '2030-01-01T00:00:00Z')`)
    database.close()
    const { child, output } = spawnServer({ PORT: new URL(server.url).port, ALCOVE_DATA_DIR: server.dataDir })
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(output()).toMatch(/^The database was migrated by a newer version \(999-of-tomorrow\)\. [^\n]*\n$/)
  })

  it('fails if the port is in use, and names the port and its setting', async () => {
    server = await startServerProcess()
    const { port } = new URL(server.url)
    expect(await failToStart({ PORT: port })).toBe(
      `Port ${port} is already in use. Stop the program that uses it, or set PORT to another port.\n`,
    )
  })

  it('fails if the metrics port is in use, and names its setting', async () => {
    server = await startServerProcess()
    const { port } = new URL(server.url)
    expect(await failToStart({ ALCOVE_METRICS_PORT: port })).toMatch(
      /^Port \d+ is already in use\. [^\n]* set ALCOVE_METRICS_PORT to another port\.\n/,
    )
  })

  it('fails if HOST is not an address of this machine', async () => {
    for (const HOST of ['192.0.2.1', 'nowhere.invalid']) {
      expect(await failToStart({ HOST })).toMatch(/^HOST is \S+, which is not an address of this machine\. [^\n]*\n$/)
    }
  })

  it('fails if the data folder is a file', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'alcove-server-')), 'data')
    await writeFile(file, '')
    expect(await failToStart({ ALCOVE_DATA_DIR: file })).toMatch(/^The data folder \S+ is a file, [^\n]*\n$/)
    expect(await failToStart({ ALCOVE_DATA_DIR: join(file, 'below') })).toMatch(/^The data folder \S+ is a file, /)
    await rm(join(file, '..'), { recursive: true })
  })

  it('removes the permissions of other users on the data folder and logs a warning', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'alcove-server-'))
    await chmod(dataDir, 0o755)
    server = await startServerProcess({}, { dataDir })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'alcove.sqlite'))).mode & 0o777).toBe(0o600)
    await server.stop()
    expect(server.output()).toMatch(/could be read by other users \(mode 755\)/)
    await rm(dataDir, { recursive: true })
  })

  it('fails on the SQLite data folder of another server, whose crash releases the lock', async () => {
    server = await startServerProcess()
    const settings = { ALCOVE_DATA_DIR: server.dataDir }
    const refusal = /^Another Alcove server is running on the data folder \S+\. [^\n]*\n$/
    expect(await failToStart(settings)).toMatch(refusal)
    // The first server keeps running, and a crash releases its lock.
    expect((await fetch(`${server.url}/api/health`)).status).toBe(200)
    await server.crashAndRestart()
    expect(await failToStart(settings)).toMatch(refusal)
  })

  it("fails with one line, without the password, if PostgreSQL can't be reached", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'alcove-server-'))
    const url = `postgres://me:hidden@127.0.0.1:${await findFreePort()}/x`
    const { child, output } = spawnServer({
      PORT: String(await findFreePort()),
      ALCOVE_DATA_DIR: dataDir,
      ALCOVE_DATABASE_URL: url,
    })
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(output()).toMatch(/^Alcove can't reach its database\. Check ALCOVE_DATABASE_URL [^\n]*ECONNREFUSED[^\n]*\n$/)
    expect(output()).not.toContain('hidden')
    await rm(dataDir, { recursive: true })
  })
})
