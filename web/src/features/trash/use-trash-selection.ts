import type { TrashedItem } from '@alcove/contract/trash'
import { useMemo, useState } from 'react'
import { keepExisting, NO_SELECTION, type Selection, selectRange, toggleItem } from '../../items/selection.ts'

export interface TrashSelection {
  readonly ids: ReadonlySet<string>
  /** The selected items, in the order of the page. */
  readonly items: readonly TrashedItem[]
  /** Adds or removes an item; with `isRange` selects everything from the item that was chosen before. */
  readonly toggle: (id: string, isRange: boolean) => void
  readonly all: () => void
  readonly clear: () => void
}

/** Keeps the selection of the trash, over both lists. Items that are removed are deselected. */
export function useTrashSelection(all: readonly TrashedItem[]): TrashSelection {
  const [state, setState] = useState<Selection>(NO_SELECTION)
  const places = useMemo(() => new Map(all.map(({ id }, index) => [id, index])), [all])
  const selection = useMemo(() => keepExisting(state, (id) => places.has(id)), [state, places])
  const items = useMemo(() => all.filter(({ id }) => selection.ids.has(id)), [all, selection])

  function toggle(id: string, isRange: boolean) {
    const from = places.get(selection.anchorId ?? id) ?? 0
    const to = places.get(id) ?? from
    const between = all.slice(Math.min(from, to), Math.max(from, to) + 1)
    setState(
      isRange
        ? selectRange(
            selection,
            between.map((item) => item.id),
          )
        : toggleItem(selection, id),
    )
  }

  return {
    ids: selection.ids,
    items,
    toggle,
    all: () => setState({ ...NO_SELECTION, ids: new Set(places.keys()), anchorId: all[0]?.id }),
    clear: () => setState(NO_SELECTION),
  }
}
