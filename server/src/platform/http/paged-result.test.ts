import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileOutput } from './compile-output.ts'
import { PagedResult } from './paged-result.ts'

async function* pagesOf<Element>(...pages: Element[][]): AsyncGenerator<Element[]> {
  yield* pages
}

const numbers = compileOutput(z.array(z.int()))
const schema = z.object({ name: z.string(), odd: z.array(z.int()), even: z.array(z.int()), end: z.string().optional() })

async function read(result: PagedResult, toOutput: (value: unknown) => unknown): Promise<string> {
  const opened = await result.open(toOutput)
  return opened instanceof Readable ? text(opened) : JSON.stringify(opened)
}

describe('a result in pages', () => {
  it('is a value if each list has one page or none', async () => {
    const lists = { even: pagesOf<number>(), odd: pagesOf([1, 3]) }
    const opened = await new PagedResult(lists, { name: 'x', secret: 1 }).open(compileOutput(schema))
    expect(opened).toEqual({ name: 'x', odd: [1, 3], even: [] })
    expect(await new PagedResult(pagesOf<number>()).open(numbers)).toEqual([])
  })

  it.each([
    [[[1], [3]], [[2]]],
    [[[1]], [[2], [4]]],
    [
      [[1], [3], [5]],
      [[2], [4], []],
    ],
    [[], [[2], [4]]],
    [[[], [1]], []],
  ])('is the JSON of the whole if one list has more pages: %j and %j', async (odd, even) => {
    const lists = { even: pagesOf(...even), odd: pagesOf(...odd) }
    const json = await read(new PagedResult(lists, { name: 'x', secret: 1, end: 'z' }), compileOutput(schema))
    // In the order of the schema, whatever the order of the lists is.
    expect(json).toBe(JSON.stringify({ name: 'x', odd: odd.flat(), even: even.flat(), end: 'z' }))
    expect(await read(new PagedResult(pagesOf(...odd)), numbers)).toBe(JSON.stringify(odd.flat()))
  })

  it('lets others run before each page is serialized', async () => {
    let turns = 0
    const count = () => {
      turns += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const pages = Array.from({ length: 20 }, (_unused, number) => [number])
    await read(new PagedResult(pagesOf(...pages)), numbers)
    clearImmediate(timer)
    expect(turns).toBeGreaterThanOrEqual(20)
  })

  it('stops reading when the client leaves', async () => {
    let pagesRead = 0
    let hasEnded = false
    async function* many() {
      try {
        for (; pagesRead < 1000; pagesRead += 1) yield Array.from({ length: 50_000 }, () => pagesRead)
      } finally {
        hasEnded = true
      }
    }
    const stream = (await new PagedResult(many()).open(numbers)) as Readable
    await new Promise((resolve) => stream.once('data', resolve))
    stream.destroy()
    await expect.poll(() => hasEnded).toBe(true)
    expect(pagesRead).toBeLessThan(10)
  })

  it('fails if a later page can’t be read, so that nobody takes it for whole', async () => {
    async function* failing() {
      yield [1]
      yield [2]
      throw new Error('the database has gone')
    }
    await expect(read(new PagedResult(failing()), numbers)).rejects.toThrow('the database has gone')
  })
})
