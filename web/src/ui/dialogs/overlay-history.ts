import { useEffect, useEffectEvent } from 'react'

/**
 * Makes Back close the topmost overlay (dialog, menu, sheet) before it leaves the page. Each open overlay has one
 * history entry above the page's own, with the same address and the router's state plus a depth. The router never
 * learns about these entries: they are removed before it navigates, and their `popstate` events are stopped before they
 * reach it.
 *
 * The entry of an overlay that has closed otherwise stays until the next overlay uses it, the router navigates or Back
 * skips it. Removing it at once would mean going back at a moment the user hasn't chosen, and a browser that is about
 * to reload or leave the page gives that up when the page goes back.
 */

interface Overlay {
  readonly close: () => void
  /** Back has asked the overlay to close. It counts as closed unless it is still registered after `CLOSING_TIME`. */
  isClosing: boolean
}

interface Traversal {
  readonly done: Promise<void>
  readonly finish: () => void
}

const DEPTH = 'overlayDepth'
/** How long an overlay may take to close after Back, in milliseconds. If it doesn't close, it gets its entry again. */
const CLOSING_TIME = 300
/** A traversal that leads nowhere causes no event, so this is the timeout in milliseconds. */
const LONGEST_TRAVERSAL = 1000

const overlays: Overlay[] = []
let depth = 0
/** The router's index of the page that the entries of overlays belong to. */
let page: unknown
let traversal: Traversal | undefined
let isNavigating = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Registers an open overlay. Returns a function that unregisters it once it has closed. */
function addOverlay(close: () => void): () => void {
  const overlay: Overlay = { close, isClosing: false }
  overlays.push(overlay)
  // At once, so that there is no moment in which Back would leave the page under an open overlay.
  pushMissingEntries()
  reconcileIn(0)
  return () => {
    const index = overlays.indexOf(overlay)
    if (index >= 0) overlays.splice(index, 1)
  }
}

/** Starts listening. Must be called before the router is created, so that this listener comes first. */
export function watchOverlayHistory(): void {
  depth = depthOf(history.state)
  page = pageOf(history.state)
  window.addEventListener('popstate', handlePop)
  // The Back button of a mouse goes back on release. Pressing it must not close a menu like a click outside.
  for (const type of ['pointerdown', 'mousedown'] as const)
    window.addEventListener(type, (event) => event.button >= 3 && event.stopImmediatePropagation(), { capture: true })
}

/** Makes the router navigate from the page's own entry only, so that no entry of an overlay stays behind. */
export function keepOverlaysOutOf(router: { navigate: (...to: never[]) => Promise<void> }): void {
  const navigate = router.navigate as (...to: unknown[]) => Promise<void>
  router.navigate = (...to: unknown[]) => navigateFromPage(() => navigate(...to), typeof to[0] === 'number')
}

/** Runs a navigation from the page's own entry. `waitsForPop`: it goes back or forward, which ends with an event. */
export async function navigateFromPage(run: () => Promise<void>, waitsForPop = false): Promise<void> {
  if (depth === 0 && !traversal) return run()
  isNavigating = true
  try {
    await traverseToPage()
    const arrived = waitsForPop ? nextPop() : undefined
    await run()
    await arrived
  } finally {
    isNavigating = false
    reconcileIn(0)
  }
}

function depthOf(state: unknown): number {
  const value = (state as Record<string, unknown> | null)?.[DEPTH]
  return typeof value === 'number' ? value : 0
}

function pageOf(state: unknown): unknown {
  return (state as Record<string, unknown> | null)?.idx
}

function openOverlays(): Overlay[] {
  return overlays.filter(({ isClosing }) => !isClosing)
}

function reconcileIn(delay: number): void {
  clearTimeout(timer)
  timer = setTimeout(reconcile, delay)
}

/** Adds the missing entries of open overlays, unless a traversal or navigation is in progress. */
function pushMissingEntries(): void {
  if (traversal || isNavigating) return
  while (depth < overlays.length) {
    depth += 1
    page = pageOf(history.state)
    history.pushState({ ...(history.state as object | null), [DEPTH]: depth }, '', location.href)
  }
}

/** Gives an overlay that Back was meant for, but that is still open, its entry again. */
function reconcile(): void {
  if (traversal || isNavigating) return
  for (const overlay of overlays) overlay.isClosing = false
  pushMissingEntries()
}

/** Goes back to the page's own entry. */
async function traverseToPage(): Promise<void> {
  await traversal?.done
  if (depth === 0) return
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const giveUp = setTimeout(() => {
    // There was nothing to go back to. The entry is now the page's.
    history.replaceState({ ...(history.state as object | null), [DEPTH]: 0 }, '')
    traversal?.finish()
  }, LONGEST_TRAVERSAL)
  traversal = {
    done,
    finish: () => {
      clearTimeout(giveUp)
      traversal = undefined
      depth = depthOf(history.state)
      resolve()
    },
  }
  history.go(-depth)
  await done
}

function nextPop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setTimeout(resolve, LONGEST_TRAVERSAL)
  window.addEventListener('popstate', () => resolve(), { once: true })
  return promise
}

function handlePop(event: PopStateEvent): void {
  const before = depth
  depth = depthOf(event.state)
  const isSamePage = pageOf(event.state) === page
  if (traversal) {
    if (isSamePage && depth === 0) event.stopImmediatePropagation()
    else reconcileIn(0)
    traversal.finish()
    return
  }
  if (!isSamePage || (before === 0 && depth === 0)) {
    page = pageOf(event.state)
    reconcileIn(0)
    return
  }
  event.stopImmediatePropagation()
  // Forward doesn't open an overlay again.
  if (depth < before) goBackWithin(depth)
}

/** Closes the overlays that Back was meant for. If all have closed already, Back was meant for the page. */
function goBackWithin(committed: number): void {
  const open = openOverlays()
  const left = Math.min(committed, open.length - 1)
  if (left < 0) {
    history.go(-(committed + 1))
    return
  }
  for (const overlay of open.slice(left).reverse()) {
    overlay.isClosing = true
    overlay.close()
  }
  reconcileIn(CLOSING_TIME)
}

/** Makes Back close an overlay while it is open. */
export function useOverlay(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => (isOpen ? addOverlay(() => close()) : undefined), [isOpen])
}
