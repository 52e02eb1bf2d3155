import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { getUpload } from '@alcove/contract/uploads'
import { beforeEach, expect, it } from 'vitest'
import { app, setUpDrive, user } from '../../testing/factories/drive.ts'
import { isInFlight } from './chunks/chunks-in-flight.ts'

setUpDrive()

const CHUNK = randomBytes(5 * 1024 * 1024)
let uploadId: string
beforeEach(async () => {
  uploadId = randomUUID()
  if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' })
})

/** Sends a chunk on its own connection: the first `length` bytes of its form, or all of them. */
async function begin(length?: number): Promise<Socket> {
  const boundary = randomUUID()
  const fields = { uploadId, filename: 'a.bin', chunkIndex: 0, totalChunks: 2, totalSize: 2 * CHUNK.length }
  const written = Object.entries({ ...fields, chunkSize: CHUNK.length }).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="chunk"; filename="chunk"\r\n\r\n`
  const form = Buffer.concat([Buffer.from(written.join('') + file), CHUNK, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const head = [
    'POST /api/upload-chunk HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${user.token}`,
    `content-type: multipart/form-data; boundary=${boundary}`,
    `content-length: ${form.length}`,
  ]
  const socket = connect((app.app.server.address() as AddressInfo).port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise((resolve) => {
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), form.subarray(0, length)]), resolve)
  })
  return socket
}

async function statusOf(socket: Socket): Promise<string> {
  const [response] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return response.toString('latin1').split(' ', 2)[1] as string
}

it('accepts a resent chunk after clients have disconnected right after sending it', async () => {
  for (let round = 0; round < 12; round += 1) {
    const leaving = await begin()
    leaving.destroy()
  }
  expect(await statusOf(await begin())).toBe('200')
  expect((await user.client.call(getUpload, { uploadId })).body).toMatchObject({ received: [0] })
})

it('accepts a resent chunk while the first connection is open but stalled', async () => {
  const lost = await begin(CHUNK.length / 2)
  await expect.poll(() => isInFlight(uploadId, 0)).toBe(true)
  const again = await begin()
  expect(await statusOf(again)).toBe('200')
  expect((await user.client.call(getUpload, { uploadId })).body).toMatchObject({ received: [0] })
  if (!lost.destroyed) await once(lost, 'close')
})
