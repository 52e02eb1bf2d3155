import { PAGE } from './read-pages.ts'

type Pages<Element> = AsyncIterable<Element[]>

/** A list that is being merged, at its next element. */
interface Head<Element> {
  readonly pages: AsyncIterator<Element[]>
  page: Element[]
  at: number
}

/**
 * Merges sorted lists into one, in pages of the usual size. `compare` is the order of all of them. One page of each list is in memory.
 */
export async function* mergePages<Element>(
  lists: readonly Pages<Element>[],
  compare: (one: Element, other: Element) => number,
): AsyncGenerator<Element[]> {
  const opened = lists.map((list) => ({ pages: list[Symbol.asyncIterator](), page: [], at: 0 }))
  const heads: Head<Element>[] = []
  try {
    for (const head of opened) if (await fill(head)) heads.push(head)
    let merged: Element[] = []
    while (heads.length > 0) {
      const least = heads.reduce((one, other) => (compare(elementOf(other), elementOf(one)) < 0 ? other : one))
      merged.push(elementOf(least))
      least.at += 1
      if (least.at === least.page.length && !(await fill(least))) heads.splice(heads.indexOf(least), 1)
      if (merged.length < PAGE) continue
      yield merged
      merged = []
    }
    if (merged.length > 0) yield merged
  } finally {
    for (const { pages } of opened) await pages.return?.()
  }
}

function elementOf<Element>({ page, at }: Head<Element>): Element {
  return page[at] as Element
}

/** Reads the next page that has an element. Returns whether there is one. */
async function fill<Element>(head: Head<Element>): Promise<boolean> {
  do {
    const next = await head.pages.next()
    if (next.done) return false
    head.page = next.value
    head.at = 0
  } while (head.page.length === 0)
  return true
}
