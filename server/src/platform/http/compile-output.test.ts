import { callsByArea } from '@alcove/contract/calls'
import { item } from '@alcove/contract/items'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { compileOutput } from './compile-output.ts'

const file = {
  id: '01a20107-0a69-7f21-a2f1-182a3d40fb42',
  filename: 'a',
  name: 'a',
  folder_id: null,
  type: 'file',
  mimeType: 'text/plain',
  size: 3,
  modifiedAt: '2026-01-15T12:00:00.000Z',
  createdAt: '2026-01-15T12:00:00.000Z',
  updatedAt: '2026-01-15T12:00:00.000Z',
  isEncrypted: false,
  isFavorite: false,
  isShared: false,
}

it('drops fields that are not in the schema, at any depth', () => {
  const output = compileOutput(z.object({ items: z.array(item), note: z.object({ text: z.string() }) }))
  const items = [{ ...file, owner_id: 'x', blob_key: 'secret' }]
  expect(output({ items, note: { text: 'a', secret: 1 }, password_hash: 'x' })).toEqual({
    items: [file],
    note: { text: 'a' },
  })
})

it.each([
  [{ size: '3' }],
  [{ size: 1.5 }],
  [{ size: undefined }],
  [{ name: null }],
  [{ folder_id: 5 }],
  [{ isFavorite: 1 }],
  [{ type: 'link' }],
])('throws for a value of the wrong type: %j', (wrong) => {
  const output = compileOutput(z.array(item))
  expect(() => output([{ ...file, ...wrong }])).toThrow(TypeError)
})

it('throws if a list or an object is expected and something else is given', () => {
  const output = compileOutput(z.object({ items: z.array(item) }))
  for (const wrong of [undefined, null, 'x', {}, { items: null }, { items: {} }, { items: [null] }, { items: ['x'] }]) {
    expect(() => output(wrong)).toThrow(TypeError)
  }
})

it('uses zod for types that it does not compile and for values outside lists', () => {
  const output = compileOutput(
    z.object({
      rows: z.array(z.object({ at: z.iso.datetime().optional(), any: z.record(z.string(), z.int()) })),
      at: z.iso.datetime(),
    }),
  )
  const rows = [{ any: { a: 1 } }, { at: 'x', any: {} }]
  expect(output({ rows, at: file.createdAt })).toEqual({ rows, at: file.createdAt })
  expect(() => output({ rows, at: 'x' })).toThrow(z.ZodError)
  expect(() => output({ rows: [{ any: { a: 'b' } }], at: file.createdAt })).toThrow(z.ZodError)
})

it('compiles the output schema of every call', () => {
  for (const area of Object.values(callsByArea)) {
    for (const call of Object.values(area)) expect(compileOutput(call.output)).toBeTypeOf('function')
  }
})
