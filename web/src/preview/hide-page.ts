/**
 * Keeps the page from scrolling, and hides it `after` this many milliseconds: from assistive technology, from the browser's search and
 * from “select all”. Returns a function that shows it again.
 *
 * The page keeps its size and its styles, so showing it is quick. `inert` and `scrollbar-gutter` would compute the styles of all of
 * its elements anew, which took longer than everything else when a preview was closed.
 */
export function hidePage(after: number): () => void {
  const root = document.getElementById('root')
  const { documentElement: page, body } = document
  const scrollbarWidth = window.innerWidth - page.clientWidth
  const restorePage = setStyle(page, { overflow: 'hidden' })
  const restoreBody = setStyle(body, scrollbarWidth > 0 ? { 'padding-right': `${scrollbarWidth}px` } : {})
  let restoreRoot = () => {}
  const timer = setTimeout(() => {
    if (!root) return
    restoreRoot = setStyle(root, {
      'contain-intrinsic-height': `${root.offsetHeight}px`,
      'content-visibility': 'hidden',
    })
  }, after)
  return () => {
    clearTimeout(timer)
    restoreRoot()
    restoreBody()
    restorePage()
  }
}

/** Sets styles of an element. Returns a function that puts back what was there. */
function setStyle({ style }: HTMLElement, values: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(values).map((name) => [name, style.getPropertyValue(name)] as const)
  for (const [name, value] of Object.entries(values)) style.setProperty(name, value)
  return () => {
    for (const [name, value] of before) style.setProperty(name, value)
  }
}
