import type { Item } from '@alcove/contract/items'
import type { Compare } from './item-order.ts'

/** Items far down a list that were loaded because they are in view, before the items above them. */
export interface SegmentBatch {
  /** The index of the first item, as far as is known. */
  readonly start: number
  readonly items: readonly Item[]
}

/** In the order of the list. No batch is empty, and none overlaps another. */
export type SegmentBatches = readonly SegmentBatch[]

export function itemAhead(batches: SegmentBatches, index: number): Item | undefined {
  for (const { start, items } of batches) if (index < start + items.length) return items[index - start]
  return undefined
}

/** Adds a batch. Where it overlaps others, it replaces their items. */
export function withBatch(batches: SegmentBatches, added: SegmentBatch): SegmentBatches {
  const end = added.start + added.items.length
  const others = batches.flatMap(({ start, items }) => [
    { start, items: items.slice(0, Math.max(0, added.start - start)) },
    { start: Math.max(start, end), items: items.slice(Math.max(0, end - start)) },
  ])
  return [...others, added].filter(({ items }) => items.length > 0).toSorted((a, b) => a.start - b.start)
}

/** Returns what is still ahead once `loaded` items have loaded without a gap. */
export function stillAhead(batches: SegmentBatches, loaded: number): SegmentBatches {
  return batches
    .filter(({ start, items }) => start + items.length > loaded)
    .map((batch) => {
      const { start, items } = batch
      return start >= loaded ? batch : { start: loaded, items: items.slice(loaded - start) }
    })
}

/** Removes items. `goneBefore` items were removed before all batches. */
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

/** Adds items to the batches they belong in. `comingBefore` items were added before all batches. */
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
