import { MEBIBYTE } from '@alcove/contract/limits'
import { previewKindOf } from '@alcove/contract/preview-kind'
import { type PointerEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { PreviewItem } from './preview-item.ts'

/** The address is updated only after a pause, because browsers limit how often it may change. In milliseconds. */
const ADDRESS_DELAY = 300

/** Steps through the items that can be shown, in order. The item that was opened is included in any case. */
export function useWalk(items: readonly PreviewItem[], startId: string, onShow: (id: string) => void) {
  const [currentId, setCurrentId] = useState(startId)
  const [beginning] = useState(startId)
  const walk = useMemo(
    () => items.filter(({ id, name }) => previewKindOf(name) !== undefined || id === beginning),
    [items, beginning],
  )
  const found = useMemo(() => walk.findIndex(({ id }) => id === currentId), [walk, currentId])
  // When an item is deleted, the next one is shown.
  const lastIndex = useRef(0)
  const index = found >= 0 ? found : Math.min(lastIndex.current, walk.length - 1)
  const wasThere = useWasThere(found >= 0)
  const current = wasThere ? walk[index] : undefined
  const id = current?.id

  useEffect(() => {
    lastIndex.current = index
    if (id !== undefined) setCurrentId(id)
  }, [index, id])

  // The browser may change the address too. A change that we caused is ignored: another item may be shown by now.
  const told = useRef<string>(undefined)
  useEffect(() => {
    if (startId === told.current) told.current = undefined
    else setCurrentId(startId)
  }, [startId])

  const tell = useEffectEvent((shownId: string) => {
    if (shownId === startId) return
    told.current = shownId
    onShow(shownId)
  })
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => tell(id), ADDRESS_DELAY)
    return () => clearTimeout(timer)
  }, [id])

  function goTo(item: PreviewItem | undefined) {
    if (item) setCurrentId(item.id)
  }

  return {
    walk,
    index,
    current,
    goTo,
    goBy: (by: 1 | -1) => setCurrentId((now) => walk[walk.findIndex((item) => item.id === now) + by]?.id ?? now),
  }
}

/** Returns whether a condition has ever been true. */
function useWasThere(isThere: boolean): boolean {
  const [wasThere, setWasThere] = useState(isThere)
  if (isThere && !wasThere) setWasThere(true)
  return isThere || wasThere
}

/** Nothing is prefetched while the user steps through quickly. In milliseconds. */
const AHEAD_DELAY = 400
/** Larger pictures are fetched with their progress when they are shown, so prefetching them would fetch them twice. */
const MAX_AHEAD = 4 * MEBIBYTE

/** Prefetches the next and the previous picture. */
export function useFetchAhead(walk: readonly PreviewItem[], index: number): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const item of [walk[index + 1], walk[index - 1]]) if (item && isFetchable(item)) void fetchAhead(item)
    }, AHEAD_DELAY)
    return () => clearTimeout(timer)
  }, [walk, index])
}

function isFetchable({ name, size, isReady }: PreviewItem): boolean {
  return previewKindOf(name) === 'image' && size > 0 && size < MAX_AHEAD && isReady?.() !== false
}

/** Ignores failures: they are reported when the picture is shown. */
async function fetchAhead(item: PreviewItem): Promise<void> {
  try {
    const image = new Image()
    image.src = await item.url()
    await image.decode()
  } catch {}
}

/** The distance in pixels that makes a swipe, and how much longer it must be sideways than up or down. */
const SWIPE_DISTANCE = 56
const SWIPE_STRAIGHTNESS = 1.4
/** From this distance on the element follows the finger. */
const SWIPE_SLACK = 10

/** Handles a swipe with one finger over an element: to the left calls `onSwipe` with 1 (next), to the right with -1. */
export function useSwipe(onSwipe: (by: 1 | -1) => void) {
  const start = useRef<{ id: number; x: number; y: number }>(undefined)

  function follow({ style }: HTMLElement, x: number) {
    style.translate = x === 0 ? '' : `${x}px`
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const { currentTarget, target } = event
    const isFirst = event.isPrimary && event.pointerType === 'touch'
    const isTaken = target instanceof Element && target.closest('[data-pans], input, audio, video') !== null
    start.current = isFirst && !isTaken ? { id: event.pointerId, x: event.clientX, y: event.clientY } : undefined
    if (!start.current) follow(currentTarget, 0)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (event.pointerId !== start.current?.id) return
    const x = event.clientX - start.current.x
    if (Math.abs(x) > SWIPE_SLACK) follow(event.currentTarget, x * 0.6)
  }

  function end(event: PointerEvent<HTMLElement>) {
    if (event.pointerId !== start.current?.id) return
    const x = event.clientX - start.current.x
    const y = event.clientY - start.current.y
    start.current = undefined
    follow(event.currentTarget, 0)
    const isSwipe = Math.abs(x) > SWIPE_DISTANCE && Math.abs(x) > Math.abs(y) * SWIPE_STRAIGHTNESS
    if (event.type === 'pointerup' && isSwipe) onSwipe(x < 0 ? 1 : -1)
  }

  return { onPointerDown, onPointerMove, onPointerUp: end, onPointerCancel: end }
}
