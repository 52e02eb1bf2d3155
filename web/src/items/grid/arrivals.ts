import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { type ItemList, indexOfItem } from '../lists/item-lists.ts'

/** The router state of a navigation to a folder: which item gets the focus there. */
export interface Arrival {
  /** The id of an item of the folder, or `FIRST_ITEM`. */
  readonly arrivalId: string
}

export const FIRST_ITEM = 'first'

/** Returns which item gets the focus. None after Back and Forward, because these restore the scroll position. */
export function useArrival(): Arrival | undefined {
  const { state } = useLocation()
  const isOurs = useNavigationType() === 'PUSH'
  return isOurs && state ? (state as Arrival) : undefined
}

/** Returns the item of the folder that was shown before, if Back or Forward led from it to this one. */
export function useLeftFolder(folderId: string | undefined, itemId = folderId): string | undefined {
  const isReturn = useNavigationType() === 'POP'
  const [shown, setShown] = useState({ folderId, itemId, before: itemId })
  if (shown.folderId !== folderId) setShown({ folderId, itemId, before: shown.itemId })
  else if (shown.itemId !== itemId) setShown({ ...shown, itemId })
  return isReturn ? shown.before : undefined
}

/**
 * Calls `onShow` for each file that the preview over the page shows, so that its element is in the document when the
 * preview closes and focuses it. Returns whether a focus comes from there.
 */
export function usePreviewedItem(
  list: ItemList,
  previewId: string | undefined,
  onShow: (index: number) => void,
): () => boolean {
  const index = indexOfItem(list, previewId)
  const show = useEffectEvent(() => {
    if (index !== -1) onShow(index)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each file, and when it has loaded or moved
  useEffect(() => show(), [index, previewId])
  const before = useRef(previewId)
  // Runs after the clean-up of the preview, which focuses the file.
  useEffect(() => {
    before.current = previewId
  }, [previewId])
  return () => before.current !== undefined
}

/** How long the item is marked, in milliseconds. */
const MARKED_FOR = 1600

/**
 * Leads to the item that the user wanted to see, once for each `key`, as soon as it has been loaded. Returns whether the
 * list is still searched for it, and the id of the item to mark for a moment.
 */
export function useArrivedItem(
  list: ItemList,
  arrivalId: string | undefined,
  key: string | undefined,
  onArrive: (index: number) => void,
): { readonly isSought: boolean; readonly markedId: string | undefined } {
  const [done, setDone] = useState<{ readonly id: string; readonly key: string | undefined }>()
  const [unmarked, setUnmarked] = useState(done)
  const isOpen = arrivalId !== undefined && (arrivalId !== done?.id || key !== done.key)
  const index = !isOpen ? -1 : arrivalId === FIRST_ITEM ? 0 : indexOfItem(list, arrivalId)
  const arrive = useEffectEvent(() => {
    if (index === -1 || arrivalId === undefined) return
    onArrive(index)
    setDone({ id: arrivalId, key })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when more has loaded
  useEffect(() => arrive(), [index, arrivalId, key])
  useEffect(() => {
    const timer = setTimeout(() => setUnmarked(done), MARKED_FOR)
    return () => clearTimeout(timer)
  }, [done])
  const isMarked = done !== unmarked && done?.id !== FIRST_ITEM
  return { isSought: isOpen && index === -1, markedId: isMarked ? done?.id : undefined }
}
