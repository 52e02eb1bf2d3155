import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'
import { lazyModule } from '../../lib/lazy-module.ts'

type DragTools = typeof import('./drag-tools.ts')

const dragTools = lazyModule(() => import('./drag-tools.ts'), 'soon')

/**
 * Calls `register` once the drag-and-drop library has loaded, shortly after the first paint. Returns a function that
 * undoes the registration, for an effect.
 */
export function withDragTools(register: (tools: DragTools) => () => void): () => void {
  if (dragTools.loaded) return register(dragTools.loaded)
  let stop: (() => void) | undefined
  const forget = dragTools.onLoaded((tools) => {
    stop = register(tools)
  })
  return () => {
    forget()
    stop?.()
  }
}

/** The whole page, as a drop target. */
export const wholePage: RefObject<HTMLElement | null> = {
  get current() {
    return document.body
  },
}

/** Makes an element accept files from the computer. Returns whether files are over it, and not over a target inside it. */
export function useFileDrop(
  ref: RefObject<HTMLElement | null>,
  onDrop: ((items: DataTransferItem[]) => void) | undefined,
): boolean {
  const [isOver, setIsOver] = useState(false)
  const drop = useEffectEvent((items: DataTransferItem[]) => onDrop?.(items))
  const takesDrops = useEffectEvent(() => onDrop !== undefined)
  // What is seen takes drops.
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const stopTaking = takeEarlyDrops(element, takesDrops, drop)
    const stop = withDragTools(({ dropTargetForExternal, containsFiles }) =>
      dropTargetForExternal({
        element,
        canDrop: (event) => takesDrops() && containsFiles(event),
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
    return () => {
      stopTaking()
      stop()
    }
  }, [ref])
  return isOver
}

/**
 * Takes the files of a drag that entered the window before the drag-and-drop library had loaded. The library ignores such a drag,
 * and prevents the default of all others before these listeners are called. A target inside another one is called first.
 */
function takeEarlyDrops(
  element: HTMLElement,
  takesDrops: () => boolean,
  drop: (items: DataTransferItem[]) => void,
): () => void {
  const take = (event: DragEvent) => {
    if (event.defaultPrevented || !takesDrops() || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'copy'
    if (event.type === 'drop') drop([...event.dataTransfer.items])
  }
  element.addEventListener('dragover', take)
  element.addEventListener('drop', take)
  return () => {
    element.removeEventListener('dragover', take)
    element.removeEventListener('drop', take)
  }
}
