import { setImmediate as letOthersRun } from 'node:timers/promises'

/** Rows per page: reading and presenting them takes about a hundredth of a second. Most lists have one page. */
export const PAGE = 2000

/**
 * Reads a long list in pages. `readPage` returns up to `limit` rows after the last one of the page before, along an index. SQLite runs on
 * the event loop, so other requests are served between two pages.
 */
export async function* readPages<Row>(
  readPage: (after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last: Row | undefined
  do {
    if (last) await letOthersRun()
    const rows = await readPage(last, PAGE)
    yield rows
    last = rows.length < PAGE ? undefined : rows.at(-1)
  } while (last)
}

/** Presents the rows of a list page by page. */
export async function* mapPages<Row, Presented>(
  pages: AsyncIterable<Row[]>,
  present: (rows: Row[]) => Presented[] | Promise<Presented[]>,
): AsyncGenerator<Presented[]> {
  for await (const rows of pages) yield await present(rows)
}

/** Returns a list that is in memory in pages. */
export async function* pagesOf<Element>(list: readonly Element[]): AsyncGenerator<Element[]> {
  for (let at = 0; at < list.length; at += PAGE) {
    if (at > 0) await letOthersRun()
    yield list.slice(at, at + PAGE)
  }
}
