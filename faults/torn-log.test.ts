import { cp, mkdtemp, open, rm, stat, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { trashFile } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { deleteFile } from '@alcove/contract/trash'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { runVerify } from '@alcove/server/testing/clients/operator'
import { clientAt } from '@alcove/server/testing/clients/over-http'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { type ServerProcess, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOf, digestOf, Random } from './random.ts'

const FILES = 40
/** Files of this size are stored together in a database. Every other file is larger and stored by itself. */
const SMALL = 3000
const LARGE = 200_000
const SEED = Number(process.env.ALCOVE_FAULTS_SEED ?? 1)
const LOGS = ['alcove.sqlite-wal', 'blobs/small.sqlite-wal'] as const

/** What a power cut, or a disk that reported writes too early, can do to the end of a log. */
const TEARS = {
  'is cut off': (path: string, from: number) => truncate(path, from),
  'has garbage at its end': async (path: string, from: number, random: Random) => {
    const file = await open(path, 'r+')
    const { size } = await file.stat()
    await file.write(bytesOf({ number: random.between(1, 1e9), size: size - from }), 0, size - from, from)
    await file.close()
  },
}

describe('a crash that damages the log of a database', () => {
  const random = new Random(SEED)
  let dir: string
  let email: string
  let token: string
  /** The SHA-256 of every file, including deleted ones. */
  const digests = new Map<string, string>()
  /** The names after each change, in order. */
  const states = ['']
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'alcove-faults-'))
    const server = await startServerProcess({}, { dataDir: join(dir, 'killed') })
    ;({ email, token } = await signUp(server.url, 'mara@example.com', [server.dataDir]))
    // The restart moves the account from the log into the database, so only later changes can be lost.
    await server.stop()
    await server.start()
    const client = clientAt(server.url, token)
    for (let index = 0; index < FILES; index++) await sendFile(client, index)
    await server.kill()
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  async function sendFile(client: TestClient, index: number): Promise<void> {
    const size = index % 2 === 0 ? SMALL + index : LARGE + index
    const content = bytesOf({ number: index, size })
    const name = `file ${index}`
    const { id } = await client.upload(name, content, { totalSize: size })
    digests.set(name, digestOf(content))
    const before = states.at(-1) as string
    states.push(`${before}${name}, `)
    if (index % 5 !== 4) return
    states.push(before)
    expect((await client.call(trashFile, { id })).status).toBe(200)
    expect((await client.call(deleteFile, { id })).status).toBe(200)
  }

  const cases = LOGS.flatMap((log) =>
    (['is cut off', 'has garbage at its end'] as const).map((tear) => ({ log, tear })),
  )
  it.each(cases)(
    `keeps all undamaged data, and names what is lost, if $log $tear (seed ${SEED})`,
    async ({ log, tear }) => {
      const dataDir = join(dir, `${log.replaceAll('/', '-')} ${tear}`)
      await cp(join(dir, 'killed'), dataDir, { recursive: true })
      const { size } = await stat(join(dataDir, log))
      await TEARS[tear](join(dataDir, log), random.between(Math.floor(size / 2), Math.floor(size * 0.8)), random)
      const server = await startServerProcess({}, { dataDir })
      try {
        const { shown, broken } = await expectConsistent(server, dataDir)
        // The tables are in a state that they once had. Lost bytes don't change them.
        if (log === 'alcove.sqlite-wal') expect(states.slice(0, -1)).toContain(shown)
        else expect([shown, broken > 0]).toEqual([states.at(-1), true])
      } finally {
        await server.stop()
        await rm(dataDir, { recursive: true })
      }
    },
  )

  async function expectConsistent(server: ServerProcess, dataDir: string): Promise<{ shown: string; broken: number }> {
    const client = clientAt(server.url, token)
    const { status, body } = await client.call(listItems, { limit: 1000 })
    expect(status).toBe(200)
    const broken: string[] = []
    for (const { name } of body.items) {
      const { status, bytes } = await client.raw(fetchFile, { filename: name })
      // The last deleted file may be back without its bytes.
      if (status !== 200) broken.push(name)
      else expect(digestOf(bytes)).toBe(digests.get(name))
    }
    const { code, printed } = await runVerify({ ALCOVE_DATA_DIR: dataDir })
    const named = printed.flatMap(
      (line) => new RegExp(`^${email}: /(file \\d+): its bytes are missing`).exec(line)?.[1] ?? [],
    )
    expect(named.sort()).toEqual(broken.sort())
    expect(code).toBe(broken.length === 0 ? 0 : 1)
    await client.upload('after', bytesOf({ number: 1, size: SMALL }))
    const names = body.items.map(({ name }) => name).sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)))
    return { shown: names.map((name) => `${name}, `).join(''), broken: broken.length }
  }
})
