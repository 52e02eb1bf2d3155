import '../lib/testing/browser-globals.ts'
import { expect, test } from 'vitest'
import { toForm } from './transport.ts'

const fields = {
  uploadId: '00000000-0000-4000-8000-000000000000',
  filename: 'Käse "und" Brot\r\n--x.txt',
  chunkIndex: 0,
  totalChunks: 1,
  parentFolderId: undefined,
  isEncrypted: true,
} as const

/** Parses an encoded form like a server. */
async function read({ body, type }: ReturnType<typeof toForm>) {
  const form = await new Response(body, type ? { headers: { 'content-type': type } } : {}).formData()
  const chunk = form.get('chunk')
  if (!(chunk instanceof Blob)) throw new Error('There is no chunk.')
  return {
    names: [...form.keys()],
    filename: form.get('filename'),
    bytes: [...new Uint8Array(await chunk.arrayBuffer())],
  }
}

test('encodes a chunk in a Uint8Array like a chunk in a Blob', async () => {
  const bytes = new Uint8Array([0, 13, 10, 45, 45, 255])
  const expected = await read(toForm(fields, new Blob([bytes])))
  expect(expected.bytes).toEqual([...bytes])
  expect(expected.names.at(-1)).toBe('chunk')
  expect(await read(toForm(fields, bytes))).toEqual(expected)
  expect((await read(toForm(fields, new Uint8Array()))).bytes).toEqual([])
})
