import type { Item } from '@alcove/contract/items'
import type {
  ElementDropTargetEventBasePayload,
  ElementDropTargetGetFeedbackArgs,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { isMac } from '../../lib/keyboard.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { parentOf } from '../lists/item-lists.ts'
import { withDragTools } from './drag-and-drop.ts'

const DRAGGED = 'alcove-items'
const TARGET_NAME = 'alcove-target'

/** Milliseconds to hold items over a folder until it opens. */
const SPRING_DELAY = 700

/** Called with the dropped items and the folder they were dropped on; undefined is the root. */
export type DropItems = (items: readonly Item[], folderId: string | undefined, isCopy: boolean) => void

/** Makes a tile draggable, together with the items that `dragged` returns. Returns whether it is being dragged. */
export function useItemDrag(
  ref: RefObject<HTMLElement | null>,
  item: Item,
  dragged: (item: Item) => readonly Item[] = (alone) => [alone],
): boolean {
  const getDragged = useEffectEvent(() => dragged(item))
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return withDragTools(({ draggable, disableNativeDragPreview, preventUnhandled }) =>
      draggable({
        element,
        getInitialData: () => ({ [DRAGGED]: getDragged() }),
        // The browser's drag image can't change during the drag. `DragLayer` shows the target, so it replaces the image.
        onGenerateDragPreview: ({ nativeSetDragImage }) => disableNativeDragPreview({ nativeSetDragImage }),
        onDragStart: () => preventUnhandled.start(),
        onDrop: () => preventUnhandled.stop(),
      }),
    )
  }, [ref])
  return useIsDragged(item.id)
}

interface DropOptions {
  /** The name of the target, for the sign below the pointer. */
  readonly name: string
  /** Opens the target while items are held over it, so that they can be dropped in one of its folders. */
  readonly onSpring?: () => void
}

/** What a drop would do, or false if nothing that the element accepts is over it. */
type DropState = false | 'move' | 'copy'

/**
 * Makes an element a target that moves or copies dropped items into a folder. Returns what a drop would do now. Without
 * `onDrop` the element accepts nothing.
 */
export function useItemDrop(
  ref: RefObject<HTMLElement | null>,
  folderId: string | undefined,
  onDrop: DropItems | undefined,
  { name, onSpring }: DropOptions = { name: '' },
): DropState {
  const [state, setState] = useState<DropState>(false)
  const drop = useEffectEvent<DropItems>((...dropped) => onDrop?.(...dropped))
  const takesDrops = useEffectEvent(() => onDrop !== undefined)
  const spring = useEffectEvent(() => onSpring?.())
  const getName = useEffectEvent(() => name)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = () => {
      clearTimeout(timer)
      setState(false)
    }
    const follow = ({ location, self }: ElementDropTargetEventBasePayload) => {
      const [innermost] = location.current.dropTargets
      setState(innermost?.element === self.element && (isCopyKey(location.current.input) ? 'copy' : 'move'))
    }
    const target = {
      element,
      canDrop: ({ source, input }: ElementDropTargetGetFeedbackArgs) =>
        takesDrops() && canDrop(draggedItems(source.data), folderId, isCopyKey(input)),
      getDropEffect: ({ input }: ElementDropTargetGetFeedbackArgs) => (isCopyKey(input) ? 'copy' : 'move'),
      getData: () => ({ [TARGET_NAME]: getName() }),
      onDragEnter: (event: ElementDropTargetEventBasePayload) => {
        timer = setTimeout(() => spring(), SPRING_DELAY)
        follow(event)
      },
      onDropTargetChange: follow,
      onDrag: follow,
      onDragLeave: leave,
      onDrop({ source, location, self }: ElementDropTargetEventBasePayload) {
        leave()
        if (location.current.dropTargets[0]?.element !== self.element) return
        drop(draggedItems(source.data), folderId, isCopyKey(location.current.input))
      },
    } as const
    const stop = withDragTools(({ dropTargetForElements }) => dropTargetForElements(target))
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [ref, folderId])
  return state
}

/** Returns whether a folder accepts items: none of them is the folder itself, and a move changes something. */
function canDrop(items: readonly Item[], folderId: string | undefined, isCopy: boolean): boolean {
  if (items.length === 0 || items.some(({ id }) => id === folderId)) return false
  return isCopy || items.some((item) => parentOf(item) !== folderId)
}

/** Returns whether the key is held that copies instead of moving: the same one as in the system's file manager. */
export function isCopyKey({ ctrlKey, altKey }: { readonly ctrlKey: boolean; readonly altKey: boolean }): boolean {
  return isMac ? altKey : ctrlKey
}

export function draggedItems(dragged: Record<string | symbol, unknown>): readonly Item[] {
  return (dragged[DRAGGED] as readonly Item[] | undefined) ?? []
}

export function targetName(target: Record<string | symbol, unknown> | undefined): string | undefined {
  return (target?.[TARGET_NAME] as string | undefined) || undefined
}

/** The items that are being dragged within the page. */
interface Drag {
  readonly items: readonly Item[]
  readonly ids: ReadonlySet<string>
  /** Whether a drop would copy the items instead of moving them. */
  readonly isCopy: boolean
  /** The name of the folder below the pointer. */
  readonly targetName?: string
}

/** The current drag. A tile can't store it, because it unmounts when a folder opens below the pointer. */
const currentDrag = createStore<Drag | undefined>(undefined)

export const setDrag = currentDrag.set
export const getDrag = currentDrag.get
export const useDrag = () => useStore(currentDrag)

function useIsDragged(itemId: string): boolean {
  return useStore(currentDrag, (drag) => drag?.ids.has(itemId) ?? false)
}
