import type { Item } from '@alcove/contract/items'
import type { Compare } from './item-order.ts'

/** Items far down a list that somebody looks at, while what comes before them has yet to be loaded. */
export interface SegmentBatch {
  /** The index of the first one, as far as is known. */
  readonly start: number
  readonly items: readonly Item[]
}

/** In the order of the list, none of them empty, none over another. */
export type SegmentBatches = readonly SegmentBatch[]

export function itemAhead(batches: SegmentBatches, index: number): Item | undefined {
  for (const { start, items } of batches) if (index < start + items.length) return items[index - start]
  return undefined
}

/** Another stretch in its place. Where it lies over what was known, it is the newer one. */
export function withBatch(batches: SegmentBatches, added: SegmentBatch): SegmentBatches {
  const end = added.start + added.items.length
  const others = batches.flatMap(({ start, items }) => [
    { start, items: items.slice(0, Math.max(0, added.start - start)) },
    { start: Math.max(start, end), items: items.slice(Math.max(0, end - start)) },
  ])
  return [...others, added].filter(({ items }) => items.length > 0).toSorted((a, b) => a.start - b.start)
}

/** What is still ahead once so many items have been loaded. */
export function stillAhead(batches: SegmentBatches, loaded: number): SegmentBatches {
  return batches
    .filter(({ start, items }) => start + items.length > loaded)
    .map((batch) => {
      const { start, items } = batch
      return start >= loaded ? batch : { start: loaded, items: items.slice(loaded - start) }
    })
}

/** Without items that are gone, of which so many stood before all of these. */
export function withoutGone(batches: SegmentBatches, ids: ReadonlySet<string>, goneBefore: number): SegmentBatches {
  let gone = goneBefore
  return batches
    .map(({ start, items }) => {
      const next = { start: start - gone, items: items.filter(({ id }) => !ids.has(id)) }
      gone += items.length - next.items.length
      return next
    })
    .filter(({ items }) => items.length > 0)
}

/** With items that came in ahead, each where it belongs if that can be seen, and so many before all of these. */
export function withComing(
  batches: SegmentBatches,
  coming: readonly Item[],
  comingBefore: number,
  compare: Compare,
): SegmentBatches {
  return batches.map(({ start, items }) => {
    const [first, last] = [items[0] as Item, items.at(-1) as Item]
    const before = coming.filter((item) => compare(item, first) < 0)
    const inside = coming.filter((item) => compare(item, first) >= 0 && compare(item, last) < 0)
    const all = inside.length === 0 ? items : [...items, ...inside].toSorted(compare)
    return { start: start + comingBefore + before.length, items: all }
  })
}
