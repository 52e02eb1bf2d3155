import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { withDragTools } from './drag-and-drop.ts'

/** Takes what is dropped anywhere. */
export const wholePage: RefObject<HTMLElement | null> = {
  get current() {
    return document.body
  },
}

/** Lets files of the computer be dropped on an element; gives whether some hang over it, and over nothing within it. */
export function useFileDrop(ref: RefObject<HTMLElement | null>, onDrop: (items: DataTransferItem[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    return withDragTools(({ dropTargetForExternal, containsFiles }) =>
      dropTargetForExternal({
        element,
        canDrop: containsFiles,
        getDropEffect: () => 'copy',
        onDropTargetChange: ({ location, self }) =>
          setIsOver(location.current.dropTargets[0]?.element === self.element),
        onDragLeave: () => setIsOver(false),
        onDrop({ source, location, self }) {
          setIsOver(false)
          if (location.current.dropTargets[0]?.element === self.element) drop(source.items)
        },
      }),
    )
  }, [ref])
  return isOver
}
