import { randomUUID } from 'node:crypto'
import { fetchFile } from '@alcove/contract/bytes'
import { createFolder, getFolder, getStorage } from '@alcove/contract/files'
import { createLink } from '@alcove/contract/links'
import { openSubmission } from '@alcove/contract/submissions'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { clientAt } from '@alcove/server/testing/clients/over-http'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { startServerProcess } from '@alcove/server/testing/engines/server-process'
import { createTestDatabase } from '@alcove/server/testing/engines/test-databases'
import { describe, expect, it } from 'vitest'

const VISITORS = 100
const FILES = 100
/** Files of a visitor that go in one request; the others go one by one. */
const TOGETHER = 20
/** Requests that a browser sends at a time. */
const AT_ONCE = 4

const contentOf = (visitor: number, file: number) => `what visitor ${visitor} sends as file ${file}`
/** All visitors use the same names, in folders of the same names. */
const pathOf = (file: number) => `Photos/day ${file % 5}/${file}.txt`

/** Sends all files of a visitor. Half of them arrive in groups. */
async function sendAll(client: TestClient, visitor: number): Promise<void> {
  const describe = (file: number) => ({
    ...{ uploadId: randomUUID(), filename: `${file}.txt`, relativePath: pathOf(file) },
    size: contentOf(visitor, file).length,
  })
  const groups: number[][] = []
  for (let file = 0; file < FILES / 2; file += TOGETHER) {
    groups.push(Array.from({ length: Math.min(TOGETHER, FILES / 2 - file) }, (_unused, index) => file + index))
  }
  const works = [
    ...groups.map((group) => async () => {
      const bytes = group.map((file) => contentOf(visitor, file)).join('')
      const { body } = await client.sendFiles(group.map(describe), bytes)
      for (const { status } of body.results ?? []) expect(status).toBe(201)
      expect(body.results).toHaveLength(group.length)
    }),
    ...Array.from({ length: FILES / 2 }, (_unused, index) => async () => {
      const { size, ...file } = describe(FILES / 2 + index)
      const content = contentOf(visitor, FILES / 2 + index)
      await client.upload(file.filename, content, { ...file, totalSize: size })
    }),
  ]
  await inTurns(works)
}

async function inTurns(works: (() => Promise<void>)[]): Promise<void> {
  const turn = async () => {
    for (let work = works.pop(); work; work = works.pop()) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, turn))
}

describe.each(['SQLite', 'PostgreSQL'])('a file request on %s', (engine) => {
  it('gets 10,000 files from a hundred visitors at once, none lost, merged or half', { timeout: 300_000 }, async () => {
    const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined
    const server = await startServerProcess(database ? { ALCOVE_DATABASE_URL: database.url } : {})
    try {
      const owner = await signUp(server.url, 'owner@example.com', [server.dataDir])
      const folder = (await owner.client.call(createFolder, { folderName: 'Request' })).body.id
      const { link } = (await owner.client.call(createLink, { id: folder, right: 'upload' })).body
      const token = link.slice(link.lastIndexOf('/') + 1)
      const visitors = await Promise.all(
        Array.from({ length: VISITORS }, async () => {
          const { secret } = (await clientAt(server.url).call(openSubmission, { token })).body
          return clientAt(server.url, secret)
        }),
      )
      await Promise.all(visitors.map(sendAll))

      const received = new Set<string>()
      const { subFolders, files } = (await owner.client.call(getFolder, { id: folder })).body
      expect([subFolders.length, files.length]).toEqual([VISITORS, 0])
      for (const { id } of subFolders) {
        const senders = new Set<string>()
        const days = (await owner.client.call(getFolder, { id })).body.subFolders
        expect(days).toHaveLength(5)
        for (const day of days) {
          const inside = (await owner.client.call(getFolder, { id: day.id })).body.files
          await inTurns(
            inside.map(({ name }) => async () => {
              const { bytes } = await owner.client.raw(fetchFile, { filename: name, folderId: day.id })
              const content = bytes.toString()
              expect(content).toMatch(new RegExp(`^what visitor \\d+ sends as file ${name.replace('.txt', '')}$`))
              received.add(content)
              senders.add(content.replace(/ sends.*/, ''))
            }),
          )
        }
        expect(senders.size).toBe(1)
      }
      expect(received.size).toBe(VISITORS * FILES)
      const storage = (await owner.client.call(getStorage, {})).body
      const total = [...received].reduce((sum, content) => sum + content.length, 0)
      expect(storage).toMatchObject({ used_bytes: total, reserved_bytes: 0 })
    } finally {
      await server.stop()
      await database?.drop()
    }
  })
})
