import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type ItemList, indexOfItem } from '../lists/item-lists.ts'
import styles from './ItemGrid.module.css'
import { type Box, boxOf, isSameView, type Layout } from './layout.ts'

interface Shown {
  readonly element: HTMLElement
  readonly box: Box
}

interface ClosingUp {
  readonly body: RefObject<HTMLElement | null>
  readonly list: ItemList
  readonly layout: Layout
  readonly rows: readonly number[]
}

const DURATION = 180

/**
 * Animates the removal of items: they fade out, and the items behind them move up. Only elements in the document take
 * part, however long the list is. Their positions follow from the layout and aren't measured.
 */
export function useClosingUp({ body, list, layout, rows }: ClosingUp): void {
  const shown = useRef<ReadonlyMap<string, Shown>>(new Map())
  const last = useRef({ list, layout })

  // biome-ignore lint/correctness/useExhaustiveDependencies: `rows` says which items are in the document
  useLayoutEffect(() => {
    const before = shown.current
    const { list: oldList, layout: oldLayout } = last.current
    const now = new Map<string, Shown>()
    for (const element of body.current?.querySelectorAll<HTMLElement>('[data-item-id]') ?? []) {
      const { itemId, index } = element.dataset
      if (itemId !== undefined) now.set(itemId, { element, box: boxOf(layout, Number(index)) })
    }
    shown.current = now
    last.current = { list, layout }
    // Only if items were removed from the same view. Otherwise the layout is another one, without a way from the old one.
    if (list.items === oldList.items || list.total >= oldList.total || !isSameView(oldLayout, layout) || isStill())
      return
    for (const [id, { element, box }] of now) {
      const from = before.get(id)?.box
      if (from && (from.left !== box.left || from.top !== box.top)) slide(element, from, box)
    }
    for (const [id, { element, box }] of before)
      if (!now.has(id) && indexOfItem(list, id) === -1) fade(body.current, element, box)
  }, [body, list, layout, rows])
}

function isStill(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches
}

const TIMING = { duration: DURATION, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)' }

function slide(element: HTMLElement, from: Box, to: Box): void {
  const [x, y] = [from.left - to.left, from.top - to.top]
  element.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: 'none' }], TIMING)
}

/** Fades out a copy of an element that was removed. */
function fade(body: HTMLElement | null, gone: HTMLElement, { left, top, width, height }: Box): void {
  const ghost = gone.cloneNode(true) as HTMLElement
  for (const name of ['role', 'data-item-id', 'data-index', 'aria-label', 'tabindex']) ghost.removeAttribute(name)
  ghost.inert = true
  ghost.ariaHidden = 'true'
  ghost.classList.add(styles.ghost ?? '')
  Object.assign(ghost.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
  body?.append(ghost)
  ghost.animate([{ opacity: 1 }, { opacity: 0 }], TIMING).finished.finally(() => ghost.remove())
}
