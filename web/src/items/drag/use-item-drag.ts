import type { Item } from '@alcove/contract/items'
import type {
  ElementDropTargetEventBasePayload,
  ElementDropTargetGetFeedbackArgs,
} from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { isMac } from '../../lib/platform.ts'
import { parentOf } from '../lists/item-lists.ts'
import { withDragTools } from './drag-and-drop.ts'
import { useIsDragged } from './drag-state.ts'

const DRAGGED = 'alcove-items'
const TARGET_NAME = 'alcove-target'

/** How long a folder is hovered over before it opens, in milliseconds. */
const SPRING_DELAY = 700

/** What was dropped and where; undefined is the root. */
export type DropItems = (items: readonly Item[], folderId: string | undefined, isCopy: boolean) => void

/** Lets a tile be dragged, together with what `dragged` says goes with it; gives whether it is. */
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
        // The browser's picture of a drag cannot change on the way; ours tells where things would go.
        onGenerateDragPreview: ({ nativeSetDragImage }) => disableNativeDragPreview({ nativeSetDragImage }),
        onDragStart: () => preventUnhandled.start(),
        onDrop: () => preventUnhandled.stop(),
      }),
    )
  }, [ref])
  return useIsDragged(item.id)
}

interface DropOptions {
  /** What the place is called, for the sign below the pointer. */
  readonly name: string
  /** Goes to the place while something is held over it, so that it can be dropped further inside. */
  readonly onSpring?: () => void
}

/** How a drop would end, or false where nothing hangs over the element that it takes. */
export type DropState = false | 'move' | 'copy'

/**
 * Lets items be dropped on an element, to be moved or copied into a folder; gives whether some hang over it. Without
 * `onDrop` it takes nothing.
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

/** Nothing goes into itself, nor is it moved to where it is. */
function canDrop(items: readonly Item[], folderId: string | undefined, isCopy: boolean): boolean {
  if (items.length === 0 || items.some(({ id }) => id === folderId)) return false
  return isCopy || items.some((item) => parentOf(item) !== folderId)
}

/** The key that makes a copy of what is dropped, as in the system's own file manager. */
export function isCopyKey({ ctrlKey, altKey }: { readonly ctrlKey: boolean; readonly altKey: boolean }): boolean {
  return isMac ? altKey : ctrlKey
}

export function draggedItems(dragged: Record<string | symbol, unknown>): readonly Item[] {
  return (dragged[DRAGGED] as readonly Item[] | undefined) ?? []
}

export function targetName(target: Record<string | symbol, unknown> | undefined): string | undefined {
  return (target?.[TARGET_NAME] as string | undefined) || undefined
}
