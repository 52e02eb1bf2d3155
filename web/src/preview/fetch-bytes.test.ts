import { afterEach, expect, test, vi } from 'vitest'
import { fetchBytes, problemOfFetch } from './fetch-bytes.ts'
import type { PreviewItem } from './preview-item.ts'

afterEach(() => vi.unstubAllGlobals())

const makeItem = (size: number): PreviewItem => ({
  ...{ id: 'a', version: '1', name: 'a.txt', mimeType: 'text/plain', size },
  url: async () => '/a',
})

/** Has `fetch` send these parts one after the other. Returns the mock. */
function stubFetch(...parts: readonly { range: string; text: string; tag?: string; status?: number }[]) {
  const responses = parts.map(
    ({ range, text, tag = '"1"', status = 206 }) =>
      new Response(text, { status, headers: { 'content-range': `bytes ${range}`, etag: tag } }),
  )
  const mock = vi.fn(async (_url: string, _init?: RequestInit) => responses.shift())
  vi.stubGlobal('fetch', mock)
  return mock
}

const textOf = async (bytes: Promise<ArrayBuffer>) => new TextDecoder().decode(await bytes)

const problemIn = (bytes: Promise<ArrayBuffer>) => bytes.then(() => undefined, problemOfFetch)

test('fetches a range past the cache of the browser if it gets only a part of it', async () => {
  const mock = stubFetch({ range: '0-9/18', text: 'first text' }, { range: '0-17/18', text: 'second text longer' })
  expect(await textOf(fetchBytes(makeItem(18), 0, 18))).toBe('second text longer')
  expect(mock.mock.calls.map(([, init]) => init?.cache)).toEqual([undefined, 'no-store'])
})

test('rejects a range that the server sends in part', async () => {
  const part = { range: '0-1/4', text: 'ab' }
  stubFetch(part, part)
  expect(await problemIn(fetchBytes(makeItem(4), 0, 4))).toBe('unreachable')
})

test.each([
  ['a longer', { range: '0-3/9', text: 'abcd' }],
  ['a shorter', { range: '0-2/3', text: 'abc' }],
  ['a much shorter', { range: '*/2', text: '', status: 416 }],
])('says that the file was replaced by %s one', async (_size, part) => {
  stubFetch(part)
  expect(await problemIn(fetchBytes(makeItem(4), 0, 4))).toBe('replaced')
})

test('does not combine ranges of a file and of another one of the same size', async () => {
  const item = makeItem(4)
  stubFetch(
    { range: '0-1/4', text: 'ab' },
    { range: '2-3/4', text: 'yz', tag: '"2"' },
    { range: '0-1/4', text: 'wx', tag: '"2"' },
  )
  expect(await textOf(fetchBytes(item, 0, 2))).toBe('ab')
  expect(await problemIn(fetchBytes(item, 2, 4))).toBe('replaced')
  expect(await textOf(fetchBytes(item, 0, 2))).toBe('wx')
})
