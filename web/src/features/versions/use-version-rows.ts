import type { Version } from '@alcove/contract/versions'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { afterDialogs } from '../../ui/dialogs/open-layers.ts'

const ROW_HEIGHT = 65
/** How many rows before the end of the list the next page is fetched. */
const ROWS_AHEAD = 30

interface VersionRowsOptions {
  /** Called when the end of the list is near; undefined if there is nothing more to load. */
  readonly onEnd: (() => void) | undefined
}

/**
 * Lays out the rows of the versions in a scrolling element, and keeps the focus in the list: the row with the focus stays in
 * the document, and when its version is gone, the row that has taken its place gets the focus.
 */
export function useVersionRows(
  scroller: RefObject<HTMLDivElement | null>,
  versions: readonly Version[],
  { onEnd }: VersionRowsOptions,
) {
  const [focusedId, setFocusedId] = useState<string>()
  const focused = versions.findIndex(({ id }) => id === focusedId)
  const virtualizer = useVirtualizer({
    count: versions.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => versions[index]?.id ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    rangeExtractor: (range) => {
      const rows = defaultRangeExtractor(range)
      return focused < 0 || rows.includes(focused) ? rows : [...rows, focused].sort((a, b) => a - b)
    },
  })
  const rows = virtualizer.getVirtualItems()

  const end = useEffectEvent(() => onEnd?.())
  const canLoad = onEnd !== undefined
  const isNearEnd = (rows.at(-1)?.index ?? -1) >= versions.length - ROWS_AHEAD
  useEffect(() => {
    if (canLoad && isNearEnd) end()
  }, [canLoad, isNearEnd])

  const findControl = (id: string | undefined, control: string) =>
    scroller.current?.querySelector<HTMLElement>(
      `[data-version-id="${id}"] :is([data-control="${control}"], [data-menu])`,
    )

  /** Focuses a control of a row once it is in the document. */
  function focusControl(id: string, control: string) {
    requestAnimationFrame(() => findControl(id, control)?.focus({ preventScroll: true }))
  }

  const lastIndex = useRef(0)
  useEffect(() => {
    if (focused >= 0) lastIndex.current = focused
  }, [focused])

  const isGone = focusedId !== undefined && focused < 0
  const keepFocus = useEffectEvent(() => {
    setFocusedId(undefined)
    if (document.activeElement !== document.body) return
    const next = versions[Math.min(lastIndex.current, versions.length - 1)]
    const row = findControl(next?.id, 'restore')
    if (row) row.focus({ preventScroll: true })
    else scroller.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    // The history is a dialog itself.
    if (isGone) return afterDialogs(() => keepFocus(), 1)
  }, [isGone])

  /** Moves the focus to the same control of another row: up, down, Home and End. */
  function moveFocus(event: KeyboardEvent) {
    const { control } = (event.target as HTMLElement).dataset
    const last = versions.length - 1
    const targets: Record<string, number> = {
      ArrowDown: Math.min(last, focused + 1),
      ArrowUp: Math.max(0, focused - 1),
      Home: 0,
      End: last,
    }
    const index = targets[event.key]
    const version = index === undefined ? undefined : versions[index]
    if (control === undefined || index === undefined || !version || event.ctrlKey || event.altKey) return
    event.preventDefault()
    setFocusedId(version.id) // keeps its row in the document
    virtualizer.scrollToIndex(index)
    focusControl(version.id, control)
  }

  return {
    rows,
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    setFocusedId,
    focusControl,
    moveFocus,
  }
}
