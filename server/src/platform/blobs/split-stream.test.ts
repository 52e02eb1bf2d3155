import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { splitStream } from './split-stream.ts'

async function split(pieces: readonly string[], size: number): Promise<{ parts: string[]; areOnly: boolean[] }> {
  const parts: string[] = []
  const areOnly: boolean[] = []
  for await (const part of splitStream(Readable.from(pieces.map((piece) => Buffer.from(piece))), size)) {
    parts.push((await buffer(part.bytes)).toString())
    areOnly.push(part.isOnly())
  }
  return { parts, areOnly }
}

it.each<[string[], string[]]>([
  [[], ['']],
  [['abc'], ['abc']],
  [['ab', 'cd'], ['abcd']],
  [['abcde'], ['abcd', 'e']],
  [['abcdefghij'], ['abcd', 'efgh', 'ij']],
  [
    ['abc', 'defgh', '', 'i'],
    ['abcd', 'efgh', 'i'],
  ],
  [
    ['abcd', 'efgh'],
    ['abcd', 'efgh'],
  ],
])('splits %j into parts of four bytes: %j', async (pieces, parts) => {
  expect(await split(pieces, 4)).toEqual({ parts, areOnly: parts.map(() => parts.length === 1) })
})

it('ends the stream when the caller stops, and fails with the stream', async () => {
  const stopped = Readable.from([Buffer.from('abc'), Buffer.from('def')])
  for await (const _part of splitStream(stopped, 2)) break
  expect(stopped.destroyed).toBe(true)
  const failing = new Readable({ read: () => failing.destroy(new Error('broken')) })
  const reading = async () => {
    for await (const part of splitStream(failing, 2)) await buffer(part.bytes)
  }
  await expect(reading()).rejects.toThrow('broken')
})
