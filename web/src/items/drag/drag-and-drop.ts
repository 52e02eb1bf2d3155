import { lazyModule } from '../../lib/lazy-module.ts'

type DragTools = typeof import('./drag-tools.ts')

const dragTools = lazyModule(() => import('./drag-tools.ts'), 'soon')

/**
 * Registers something for drag and drop as soon as that is there: at once, or shortly after the first screen has been
 * painted. Answers how to take it back, for an effect.
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
