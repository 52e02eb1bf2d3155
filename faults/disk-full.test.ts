import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fetchFile } from '@alcove/contract/bytes'
import { getStorage, trashFile } from '@alcove/contract/files'
import { listItems } from '@alcove/contract/item-calls'
import { searchItems } from '@alcove/contract/search'
import { deleteFile } from '@alcove/contract/trash'
import { completeUpload, getUpload } from '@alcove/contract/uploads'
import type { TestClient } from '@alcove/server/testing/clients/client'
import { runVerify } from '@alcove/server/testing/clients/operator'
import { signUp } from '@alcove/server/testing/clients/sign-up'
import { type ServerProcess, startServerProcess } from '@alcove/server/testing/engines/server-process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Disk, mountDisk, whyNoDisks } from './disks.ts'
import { bytesOf, digestOf } from './random.ts'

const MEBIBYTE = 1024 * 1024
const DISK = 224
/** The space for uploads in bytes. The server itself keeps 64 MiB free. */
const SPACE = 112 * MEBIBYTE
const LARGE = 4 * MEBIBYTE
const WITHIN = 30_000

const FULL = {
  status: 507,
  body: { code: 'storage_full', message: expect.stringMatching(/^The disk of this server is full\./) },
}

const reason = whyNoDisks()

describe.skipIf(reason)(`a full disk${reason ? ` (${reason})` : ''}`, () => {
  let disk: Disk
  let server: ServerProcess
  let client: TestClient
  let environment: Record<string, string>
  beforeEach(async () => {
    disk = await mountDisk(DISK)
    disk.fill(SPACE)
    const dataDir = join(disk.path, 'data')
    await mkdir(dataDir)
    environment = { ALCOVE_DATA_DIR: dataDir }
    server = await startServerProcess({}, { dataDir })
    ;({ client } = await signUp(server.url, 'mara@example.com', [dataDir]))
  })
  afterEach(async () => {
    await disk.freeSpace()
    await server.stop()
    await disk.unmount()
  })

  function send(filename: string, size: number) {
    const fields = { uploadId: randomUUID(), filename, chunkIndex: 0, totalChunks: 1, totalSize: size, complete: true }
    return client.sendChunk(fields, bytesOf({ number: size, size }))
  }

  /** Stores files until one is refused, and returns the names of the stored ones. */
  async function sendUntilFull(kind: string, size: number): Promise<string[]> {
    const stored: string[] = []
    for (;;) {
      const name = `${kind} ${stored.length}`
      const response = await send(name, size)
      if (response.status !== 201) {
        expect(response).toMatchObject(FULL)
        return stored
      }
      stored.push(name)
    }
  }

  async function list(): Promise<string[]> {
    const { status, body } = await client.call(listItems, { limit: 10_000 })
    expect(status).toBe(200)
    return body.items.map(({ name }) => name)
  }

  async function deletePermanently(name: string) {
    const { body } = await client.call(listItems, { limit: 10_000 })
    const id = body.items.find((item) => item.name === name)?.id ?? ''
    const trashed = await client.call(trashFile, { id })
    return trashed.status === 200 ? client.call(deleteFile, { id }) : trashed
  }

  /** Retries until a file is stored. The bytes of deleted files are freed a moment later. */
  async function retryUntilStored(name: string, size: number): Promise<void> {
    const deadline = Date.now() + WITHIN
    for (let status = 0; status !== 201; await wait(100)) {
      ;({ status } = await send(name, size))
      if (Date.now() > deadline) throw new Error(`${name} still failed with ${status}`)
    }
  }

  async function expectWhole(names: readonly string[], sizeOf: (name: string) => number): Promise<void> {
    expect((await list()).sort()).toEqual([...names].sort())
    const used = names.reduce((sum, name) => sum + sizeOf(name), 0)
    expect((await client.call(getStorage, {})).body).toMatchObject({ used_bytes: used, reserved_bytes: 0 })
    for (const name of names.slice(-5)) {
      const { bytes } = await client.raw(fetchFile, { filename: name })
      expect(bytes.equals(bytesOf({ number: sizeOf(name), size: sizeOf(name) }))).toBe(true)
    }
    expect(await runVerify(environment)).toMatchObject({ code: 0 })
  }

  it('makes uploads fail with storage_full, and allows them again after files are deleted', async () => {
    const large = await sendUntilFull('large', LARGE)
    expect(large.length).toBeGreaterThan(5)
    const small = await sendUntilFull('small', 60_000)
    expect((await client.call(searchItems, { q: 'large' })).body).toHaveLength(large.length)
    for (const name of large.splice(0, 2)) expect((await deletePermanently(name)).status).toBe(200)
    await retryUntilStored('small again', 60_000)
    await retryUntilStored('large again', LARGE)
    const sizeOf = (name: string) => (name.startsWith('large') ? LARGE : 60_000)
    await expectWhole([...large, ...small, 'small again', 'large again'], sizeOf)
  })

  it('keeps the received chunks of an upload and lets it finish once there is space', async () => {
    const upload = { uploadId: randomUUID(), filename: 'film', totalChunks: 20, chunkSize: LARGE }
    const sendChunk = (chunkIndex: number) =>
      client.sendChunk({ ...upload, chunkIndex }, bytesOf({ number: chunkIndex, size: LARGE }))
    let sent = 0
    let response = await sendChunk(sent)
    while (response.status === 200) response = await sendChunk(++sent)
    expect(response).toMatchObject(FULL)
    const { body } = await client.call(getUpload, { uploadId: upload.uploadId })
    expect(body.received).toEqual(Array.from({ length: sent }, (_, index) => index))
    expect(await list()).toEqual([])
    await disk.freeSpace()
    for (; sent < upload.totalChunks; sent++) expect((await sendChunk(sent)).status).toBe(200)
    expect((await client.call(completeUpload, { uploadId: upload.uploadId })).status).toBe(201)
    const whole = Array.from({ length: upload.totalChunks }, (_, number) => bytesOf({ number, size: LARGE }))
    const { bytes } = await client.raw(fetchFile, { filename: 'film' })
    expect(digestOf(bytes)).toBe(digestOf(Buffer.concat(whole)))
    expect(await runVerify(environment)).toMatchObject({ code: 0 })
  })

  it('loses nothing if other programs use the last byte, so that not even the database logs can grow', async () => {
    const before = Array.from({ length: 30 }, (_, index) => `before ${index}`)
    for (const name of before) expect((await send(name, 60_000)).status).toBe(201)
    const { body } = await client.call(listItems, {})
    disk.fill()
    // Calls succeed while the logs have unused space. Concurrent calls share a transaction.
    const responses = await Promise.all(body.items.map(({ id }) => client.call(trashFile, { id })))
    for (const response of responses) expect(response).toMatchObject(response.status === 200 ? {} : FULL)
    const kept = body.items.filter((_, index) => responses[index]?.status !== 200).map(({ name }) => name)
    expect(kept.length).toBeGreaterThan(0)
    expect(await send('refused', 10)).toMatchObject(FULL)
    expect(await send('refused', LARGE)).toMatchObject(FULL)
    const shown = await list()
    expect(shown.sort()).toEqual(kept.sort())
    expect((await client.call(searchItems, { q: 'before' })).body).toHaveLength(shown.length)
    await disk.freeSpace()
    await retryUntilStored('after', LARGE)
    expect(await runVerify(environment)).toMatchObject({ code: 0 })
    expect((await list()).sort()).toEqual([...shown, 'after'].sort())
  })
})
