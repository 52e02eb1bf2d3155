import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { createStore } from '../../lib/store.ts'

/** Whether something was done, failed, or is in progress. */
type ToastKind = 'success' | 'failure' | 'busy'

export interface ToastAction {
  readonly label: string
  readonly run: () => void
}

export interface Toast {
  readonly id: string
  readonly kind: ToastKind
  readonly text: string
  /** A second line with the consequences. */
  readonly detail?: string
  readonly icon?: ReactNode
  readonly action?: ToastAction
  /** Not about what the user is doing now, so it waits until no dialog or preview is open. */
  readonly isBackground?: boolean
  /** How long the page shows it, in milliseconds. Without it, the page shows it for the usual time. */
  readonly shownFor?: number
}

/** Shows a toast on the page. Returns a function that hides it. */
type ShowOnPage = (toast: Toast) => () => void

/** A toast that is shown inside a dialog, sheet or preview. */
export interface InlineToast extends Toast {
  readonly place: HTMLElement
  readonly shownAt: number
}

/** If a dialog closes within this time, its toast appears on the page. In milliseconds. */
const CLOSING_TIME = 60
/** The least time for reading a toast. In milliseconds. */
const READING_TIME = 1500
/** How long a success without a button is shown, in a dialog and on the page together. In milliseconds. */
const SUCCESS_SHOWN = 4000

/** The toasts that are shown in dialogs, sheets and previews. */
export const inlineToasts = createStore<readonly InlineToast[]>([])
const lastId = createStore(0)

export function hideInlineToast(id: string): void {
  if (isShownInline(id)) inlineToasts.set(inlineToasts.get().filter((toast) => toast.id !== id))
}

function isShownInline(id: string): boolean {
  return inlineToasts.get().some((toast) => toast.id === id)
}

/**
 * Shows a toast in the dialog, sheet or preview that is open, or else on the page. Returns a function that hides it,
 * wherever it is by then.
 */
export function showToast(content: Omit<Toast, 'id'>, showOnPage: ShowOnPage): () => void {
  lastId.set(lastId.get() + 1)
  const toast: Toast = { ...content, id: `toast-${lastId.get()}` }
  let stop: () => void = () => {}
  const place = () => {
    const element = topPlace()
    if (toast.isBackground && isPlaceOpen()) stop = onNoPlaceOpen(place)
    else if (element) stop = showInline(toast, element, showOnPage)
    else stop = showOnPage(toast)
  }
  if (isPlaceOpen() && !toast.isBackground) {
    const timer = setTimeout(place, CLOSING_TIME)
    stop = () => clearTimeout(timer)
  } else place()
  return () => stop()
}

/** Calls `run` once, when the last dialog or preview has closed. Returns a function that cancels that. */
function onNoPlaceOpen(run: () => void): () => void {
  const stop = onPlaceClosed(() => {
    if (isPlaceOpen()) return
    stop()
    run()
  })
  return stop
}

function showInline(toast: Toast, place: HTMLElement, showOnPage: ShowOnPage): () => void {
  const shownAt = Date.now()
  const others = inlineToasts.get().filter((other) => other.place !== place)
  inlineToasts.set([...others, { ...toast, place, shownAt }])
  const isTimed = toast.kind === 'success' && !toast.action
  const timer = isTimed ? setTimeout(() => hideInlineToast(toast.id), SUCCESS_SHOWN) : undefined
  let hide = () => hideInlineToast(toast.id)
  const stopWatching = onPlaceClosed(() => {
    if (topPlace() === place) return
    stopWatching()
    const isShown = isShownInline(toast.id)
    hideInlineToast(toast.id)
    if (!isShown) return
    const elapsed = Date.now() - shownAt
    // A dialog may close long after the action that closes it, so a success is never dropped with its dialog.
    if (isTimed) hide = showOnPage({ ...toast, shownFor: Math.max(READING_TIME, SUCCESS_SHOWN - elapsed) })
    else if (elapsed < READING_TIME || toast.action || toast.kind === 'busy') hide = showOnPage(toast)
  })
  return () => {
    clearTimeout(timer)
    stopWatching()
    hide()
  }
}

/** Finds the element in which toasts appear, or null while it isn't rendered. */
type FindPlace = () => HTMLElement | null

/** The dialogs, sheets and previews that are open. The last one gets the toasts. */
const places = createStore<readonly FindPlace[]>([])

/** Shows toasts inside a dialog, sheet or preview while it is open, instead of over it. */
export function useToastPlace(isOpen: boolean, find: FindPlace): void {
  const findPlace = useEffectEvent(find)
  useEffect(() => {
    if (!isOpen) return
    const place = () => findPlace()
    places.set([...places.get(), place])
    return () => places.set(places.get().filter((other) => other !== place))
  }, [isOpen])
}

/** Returns where a toast appears now, or undefined if it appears on the page. */
function topPlace(): HTMLElement | undefined {
  return places.get().at(-1)?.() ?? undefined
}

function isPlaceOpen(): boolean {
  return places.get().length > 0
}

/** Calls `listener` whenever a place closes. Returns a function that stops that. */
function onPlaceClosed(listener: () => void): () => void {
  let openPlaces = places.get()
  return places.subscribe(() => {
    const hasClosed = places.get().length < openPlaces.length
    openPlaces = places.get()
    if (hasClosed) listener()
  })
}

/** Returns the body of the topmost dialog or sheet. */
export function topDialogBody(): HTMLElement | null {
  return [...document.querySelectorAll<HTMLElement>('.mantine-Modal-body, .mantine-Drawer-body')].at(-1) ?? null
}
