import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fetchFile } from '@alcove/contract/bytes'
import { trashFile } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { searchItems } from '@alcove/contract/search'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { runVerify } from '@alcove/server/testing/clients/operator'
import { clientAt } from '@alcove/server/testing/clients/over-http'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { findFreePort } from '@alcove/server/testing/engines/ports'
import { type ServerProcess, spawnServer, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BreakableDisk, mountBreakableDisk, mountDisk, remount, whyNoBreakableDisks, whyNoDisks } from './disks.ts'
import { bytesOf } from './random.ts'

const DISK = 160
const SMALL = 5000
const LARGE = 300_000
const WITHIN = { timeout: 20_000 }
const READ_ONLY = {
  status: 503,
  body: { code: 'unavailable', message: expect.stringMatching(/^The disk of this server is not writable/) },
}

const reason = whyNoBreakableDisks()

describe.skipIf(reason)(`a disk that becomes read-only${reason ? ` (${reason})` : ''}`, () => {
  let disk: BreakableDisk
  let dataDir: string
  let server: ServerProcess
  let client: TestClient
  const files = new Map([
    ['small.bin', SMALL],
    ['large.bin', LARGE],
  ])
  beforeEach(async () => {
    disk = await mountBreakableDisk(DISK)
    dataDir = join(disk.path, 'data')
    await mkdir(dataDir)
    server = await startServerProcess({}, { dataDir })
    ;({ client } = await signUp(server.url, 'mara@example.com', [dataDir]))
    for (const [name, size] of files) await client.upload(name, bytesOf({ number: size, size }), { totalSize: size })
  })
  afterEach(async () => {
    await server.kill()
    await disk.remove()
  })

  const readHealth = () => clientAt(server.url).request({ method: 'GET', url: '/api/health' })

  async function expectReadable(): Promise<string> {
    const { body } = await client.call(listItems, {})
    expect(body.items.map(({ name }) => name).sort()).toEqual([...files.keys()].sort())
    expect((await client.call(searchItems, { q: 'bin' })).body).toHaveLength(files.size)
    for (const [filename, size] of files) {
      const { bytes } = await client.raw(fetchFile, { filename })
      expect(bytes.equals(bytesOf({ number: size, size }))).toBe(true)
    }
    return body.items[0]?.id ?? ''
  }

  it('allows reads, makes writes fail as unavailable, and allows writes again after a repair', async () => {
    await disk.break()
    const id = await expectReadable()
    for (const size of [SMALL, LARGE]) {
      const fields = {
        uploadId: crypto.randomUUID(),
        filename: 'refused',
        chunkIndex: 0,
        totalChunks: 1,
        complete: true,
      }
      const response = await client.sendChunk({ ...fields, totalSize: size }, bytesOf({ number: size, size }))
      expect(response).toMatchObject(READ_ONLY)
    }
    expect(await client.call(trashFile, { id })).toMatchObject(READ_ONLY)
    await vi.waitFor(async () => expect(await readHealth()).toMatchObject(READ_ONLY), WITHIN)
    await expectReadable()
    expect(server.process.exitCode).toBeNull()

    await server.kill()
    await disk.repair()
    await server.start()
    await expectReadable()
    expect((await client.call(trashFile, { id })).status).toBe(200)
    expect((await readHealth()).status).toBe(200)
    expect(await runVerify({ ALCOVE_DATA_DIR: dataDir })).toMatchObject({ code: 0 })
  })
})

const noDisks = whyNoDisks()

describe.skipIf(noDisks)(`a disk that is read-only from the start${noDisks ? ` (${noDisks})` : ''}`, () => {
  it('makes the server fail to start with one line until the disk is writable', async () => {
    const disk = await mountDisk(DISK)
    const dataDir = join(disk.path, 'data')
    await mkdir(dataDir)
    const server = await startServerProcess({}, { dataDir })
    const { client } = await signUp(server.url, 'mara@example.com', [dataDir])
    await server.stop()
    await remount(disk, 'ro')
    const { child, output } = spawnServer({ PORT: String(await findFreePort()), ALCOVE_DATA_DIR: dataDir })
    expect((await once(child, 'exit'))[0]).toBe(1)
    expect(output()).toMatch(/^The data folder [^\n]* is on a read-only disk\. Set ALCOVE_DATA_DIR to [^\n]*\n$/)
    await remount(disk, 'rw')
    await server.start()
    expect((await client.call(listItems, {})).status).toBe(200)
    await server.stop()
    await disk.unmount()
  })
})
