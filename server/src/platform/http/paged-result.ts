import { Readable } from 'node:stream'

type Output = (value: unknown) => unknown

/** Where the list is: all of the result, or one of its properties beside others. */
type Frame = 'whole' | { key: string; others: Record<string, unknown> }

/**
 * The result of a call whose list may be very long. The list is read, checked and sent a page at a time, so that it takes the memory of
 * a page. Pages are read one after the other: what changes meanwhile may be missing or listed twice, and the event of the change follows.
 */
export class PagedResult {
  readonly #frame: Frame
  readonly #pages: AsyncIterator<readonly unknown[]>

  constructor(frame: Frame, pages: AsyncIterator<readonly unknown[]>) {
    this.#frame = frame
    this.#pages = pages
  }

  /**
   * Returns the result as a value if the list has only one page, else as a stream of JSON. `toOutput` is the compiled schema. Rejects if
   * the first pages can't be read; later failures end the stream.
   */
  async open(toOutput: Output): Promise<unknown> {
    const first = await this.#pages.next()
    const page = first.done ? [] : first.value
    const second = first.done ? first : await this.#pages.next()
    if (second.done) return toOutput(this.#framed(page))
    return Readable.from(this.#write(toOutput, [page, second.value]), { objectMode: false })
  }

  async *#write(toOutput: Output, read: readonly (readonly unknown[])[]): AsyncGenerator<string> {
    const [start, end] = this.#around(toOutput)
    yield start
    let separator = ''
    for await (const page of this.#all(read)) {
      if (page.length === 0) continue
      yield separator + JSON.stringify(this.#listIn(toOutput(this.#framed(page)))).slice(1, -1)
      separator = ','
    }
    yield end
  }

  async *#all(read: readonly (readonly unknown[])[]): AsyncGenerator<readonly unknown[]> {
    yield* read
    for (let next = await this.#pages.next(); !next.done; next = await this.#pages.next()) yield next.value
  }

  #framed(page: readonly unknown[]): unknown {
    return this.#frame === 'whole' ? page : { ...this.#frame.others, [this.#frame.key]: page }
  }

  #listIn(output: unknown): unknown {
    return this.#frame === 'whole' ? output : (output as Record<string, unknown>)[this.#frame.key]
  }

  /** Returns the JSON before and after the elements. */
  #around(toOutput: Output): [string, string] {
    if (this.#frame === 'whole') return ['[', ']']
    const { [this.#frame.key]: _list, ...others } = toOutput(this.#framed([])) as Record<string, unknown>
    const start = JSON.stringify(others).slice(0, -1)
    return [`${start}${start === '{' ? '' : ','}${JSON.stringify(this.#frame.key)}:[`, ']}']
  }
}
