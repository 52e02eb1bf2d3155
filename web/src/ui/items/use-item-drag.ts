import type { Item } from '@alcove/contract/items'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/utils/set-custom-native-drag-preview'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import styles from './drag.module.css'

const DRAGGED = 'alcove-item'

/** Lets a tile be dragged; gives whether it is. */
export function useItemDrag(ref: RefObject<HTMLElement | null>, item: Item): boolean {
  const [isDragged, setIsDragged] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return draggable({
      element,
      getInitialData: () => ({ [DRAGGED]: item }),
      onGenerateDragPreview: ({ nativeSetDragImage }) =>
        setCustomNativeDragPreview({
          nativeSetDragImage,
          getOffset: () => ({ x: 32, y: 32 }),
          render: ({ container }) => container.append(createGhost(element)),
        }),
      onDragStart: () => setIsDragged(true),
      onDrop: () => setIsDragged(false),
    })
  }, [ref, item])
  return isDragged
}

/** The tile itself, without its buttons, a little tilted. */
function createGhost(tile: HTMLElement): HTMLElement {
  const ghost = document.createElement('div')
  ghost.className = styles.ghost ?? ''
  const card = tile.cloneNode(true) as HTMLElement
  card.style.width = `${Math.min(tile.offsetWidth, 220)}px`
  card.removeAttribute('data-active')
  for (const button of card.querySelectorAll('button')) button.remove()
  ghost.append(card)
  return ghost
}

/** Lets items be dropped on an element, to be moved into a folder; gives whether one hangs over it. */
export function useItemDrop(
  ref: RefObject<HTMLElement | null>,
  folderId: string | undefined,
  onMove: (item: Item, folderId: string | undefined) => void,
): boolean {
  const [isOver, setIsOver] = useState(false)
  const move = useEffectEvent(onMove)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => itemOf(source.data)?.id !== folderId,
      onDragEnter: () => setIsOver(true),
      onDragLeave: () => setIsOver(false),
      onDrop({ source }) {
        setIsOver(false)
        const item = itemOf(source.data)
        if (item) move(item, folderId)
      },
    })
  }, [ref, folderId])
  return isOver
}

function itemOf(dragged: Record<string, unknown>): Item | undefined {
  return dragged[DRAGGED] as Item | undefined
}
