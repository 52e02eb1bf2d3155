import { isMacMetadata } from '@alcove/contract/names'
import { foldForSearch } from '@alcove/contract/search-text'
import type { RawBuilder } from 'kysely'
import type { ItemRow } from '../../platform/db/tables.ts'

export type FoundItem = Pick<ItemRow, 'id' | 'owner_id' | 'parent_id' | 'kind' | 'name' | 'sort_key'>

/** Whose drive is searched, and the condition on `items` for what the request may see of it. */
export interface SearchedDrive {
  ownerId: string
  isInReach: RawBuilder<boolean>
}

/** Folders to search with everything below them, and the condition on `items` for what lies there. */
export interface SearchedFolders {
  folders: readonly { id: string; ownerId: string }[]
  isInReach: RawBuilder<boolean>
}

/** How well a name matches a text: it equals the text, begins with it, or contains it. */
export const RANKS = [0, 1, 2] as const
export type Rank = (typeof RANKS)[number]

/** Returns how well a name matches a folded text, or undefined. */
export function rankOf(name: string, text: string): Rank | undefined {
  const folded = foldForSearch(name)
  const at = folded.indexOf(text)
  if (at === -1) return undefined
  if (at > 0) return 2
  return folded.length === text.length ? 0 : 1
}

/** Collects items that match a folded text, each once, until there are enough of the best. */
export class RankedItems {
  readonly #text: string
  readonly #limit: number
  readonly #byRank: readonly Map<string, FoundItem>[] = RANKS.map(() => new Map())

  constructor(text: string, limit: number) {
    this.#text = text
    this.#limit = limit
  }

  /** Adds an item if its current name matches. */
  add(item: FoundItem): void {
    if (item.kind === 'file' && isMacMetadata(item.name)) return
    const rank = rankOf(item.name, this.#text)
    if (rank !== undefined) this.#byRank[rank]?.set(item.id, item)
  }

  /** Returns whether no more items of this rank are needed. */
  hasEnough(rank: Rank): boolean {
    return this.#byRank.slice(0, rank + 1).reduce((count, items) => count + items.size, 0) >= this.#limit
  }

  /** Returns the items, best first and equal ones in order of names. */
  list(): FoundItem[] {
    return this.#byRank.flatMap((items) => [...items.values()].slice(0, this.#limit).sort(byName)).slice(0, this.#limit)
  }
}

function byName(one: FoundItem, other: FoundItem): number {
  if (one.sort_key !== other.sort_key) return one.sort_key < other.sort_key ? -1 : 1
  return one.id < other.id ? -1 : 1
}
