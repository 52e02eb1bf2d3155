import { describe, expect, it } from 'vitest'
import { mergePages } from './merge-pages.ts'
import { PAGE } from './read-pages.ts'

async function* pagesOf<Element>(...pages: Element[][]): AsyncGenerator<Element[]> {
  yield* pages
}

async function merge(...lists: number[][][]): Promise<number[][]> {
  const merged: number[][] = []
  for await (const page of mergePages(
    lists.map((list) => pagesOf(...list)),
    (a, b) => a - b,
  ))
    merged.push(page)
  return merged
}

describe('merging sorted lists', () => {
  it.each([
    [[]],
    [[[], [[]]]],
    [
      [
        [[1, 4], [5]],
        [[2], [], [3, 6, 7]],
      ],
    ],
    [[[[1]], [[1], [1]], []]],
  ])('keeps the order and each element: %j', async (lists: number[][][]) => {
    const merged = await merge(...lists)
    expect(merged.flat()).toEqual(lists.flat(2).toSorted((a, b) => a - b))
  })

  it('makes full pages', async () => {
    const odd = Array.from({ length: PAGE }, (_unused, index) => index * 2 + 1)
    const even = odd.map((number) => number - 1)
    const merged = await merge([odd], [even], [[PAGE * 2]])
    expect(merged.map(({ length }) => length)).toEqual([PAGE, PAGE, 1])
    expect(merged.flat()).toEqual(Array.from({ length: PAGE * 2 + 1 }, (_unused, index) => index))
  })

  it('ends all lists if the reader leaves', async () => {
    let ended = 0
    async function* endless() {
      try {
        for (;;) yield [1]
      } finally {
        ended += 1
      }
    }
    for await (const page of mergePages([endless(), endless()], (a, b) => a - b)) {
      expect(page).toHaveLength(PAGE)
      break
    }
    expect(ended).toBe(2)
  })
})
