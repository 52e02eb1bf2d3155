import { Readable } from 'node:stream'
import { setImmediate as letOthersRun } from 'node:timers/promises'

type Output = (value: unknown) => unknown
type Page = readonly unknown[]
type Pages = AsyncIterable<Page>
/** The call's result before it is checked: a list, or an object with lists. */
type Result = Page | Record<string, unknown>

/**
 * The result of a call with lists that may be very long. They are read, checked and sent a page at a time, one list after the other. So
 * they take the memory of a page, and other requests are served between two pages. What changes meanwhile may be missing or listed twice,
 * and the event of the change follows. If the client leaves, reading stops.
 */
export class PagedResult {
  readonly #lists: ReadonlyMap<string | null, PageReader>
  readonly #others: Record<string, unknown>

  /** The result is either one list, or an object with lists by their keys and `others` beside them. */
  constructor(lists: Pages | Record<string, Pages>, others: Record<string, unknown> = {}) {
    const byKey = isPages(lists) ? [[null, lists] as const] : Object.entries(lists)
    this.#lists = new Map(byKey.map(([key, pages]) => [key, new PageReader(pages)]))
    this.#others = others
  }

  /**
   * Returns the result as a value if no list has more than one page, else as a stream of JSON. `toOutput` is the compiled schema. Rejects
   * if the first pages can't be read; later failures end the stream.
   */
  async open(toOutput: Output): Promise<unknown> {
    const lists = [...this.#lists]
    const firstPages = await Promise.all(lists.map(async ([key, list]) => [key, await list.readFirst()] as const))
    if (lists.every(([_key, { isComplete }]) => isComplete)) return toOutput(this.#resultWith(new Map(firstPages)))
    return Readable.from(this.#write(toOutput), { objectMode: false })
  }

  /** Writes what `JSON.stringify` would return for the whole result: its properties are in the order of the schema. */
  async *#write(toOutput: Output): AsyncGenerator<string> {
    const whole = this.#lists.get(null)
    if (whole) return yield* this.#writeList(toOutput, null, whole)
    let separator = '{'
    for (const [key, value] of Object.entries(toOutput(this.#resultWith(new Map())) as Record<string, unknown>)) {
      yield `${separator}${JSON.stringify(key)}:`
      separator = ','
      const list = this.#lists.get(key)
      if (list) yield* this.#writeList(toOutput, key, list)
      else yield JSON.stringify(value)
    }
    yield '}'
  }

  async *#writeList(toOutput: Output, key: string | null, list: PageReader): AsyncGenerator<string> {
    yield '['
    let separator = ''
    for await (const page of list.readAll()) {
      if (page.length === 0) continue
      await letOthersRun()
      const output = toOutput(this.#resultWith(new Map([[key, page]])))
      const elements = key === null ? output : (output as Record<string, unknown>)[key]
      yield separator + JSON.stringify(elements).slice(1, -1)
      separator = ','
    }
    yield ']'
  }

  /** Returns the result with these pages as its lists. Lists without a page are empty. */
  #resultWith(pages: ReadonlyMap<string | null, Page>): Result {
    if (this.#lists.has(null)) return pages.get(null) ?? []
    const lists = [...this.#lists.keys()].map((key) => [key, pages.get(key) ?? []])
    return { ...this.#others, ...Object.fromEntries(lists) }
  }
}

function isPages(lists: Pages | Record<string, Pages>): lists is Pages {
  return Symbol.asyncIterator in lists
}

/** Reads the pages of a list. The first is read ahead, and the second to learn whether there is one. */
class PageReader {
  readonly #pages: AsyncIterator<Page>
  readonly #ahead: Page[] = []
  /** Whether all pages have been read. */
  isComplete = false

  constructor(pages: Pages) {
    this.#pages = pages[Symbol.asyncIterator]()
  }

  async readFirst(): Promise<Page> {
    while (!this.isComplete && this.#ahead.length < 2) await this.#readNext()
    return this.#ahead[0] ?? []
  }

  /** Returns all pages, including those read ahead. Ends the source if the caller stops early. */
  async *readAll(): AsyncGenerator<Page> {
    try {
      for (;;) {
        const page = this.#ahead.shift()
        if (page) yield page
        else if (this.isComplete) return
        else await this.#readNext()
      }
    } finally {
      await this.#pages.return?.()
    }
  }

  async #readNext(): Promise<void> {
    const next = await this.#pages.next()
    if (next.done) this.isComplete = true
    else this.#ahead.push(next.value)
  }
}
