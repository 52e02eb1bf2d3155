import type { ReactNode } from 'react'
import { isToastPlaceOpen, onToastPlaceClosed, topToastPlace } from './toast-places.ts'

/** Whether something was done, failed, or is under way. */
export type ToastKind = 'success' | 'failure' | 'busy'

export interface ToastAction {
  readonly label: string
  readonly run: () => void
}

export interface Toast {
  readonly id: string
  readonly kind: ToastKind
  readonly text: string
  /** A second line, with what follows from it. */
  readonly detail?: string
  readonly icon?: ReactNode
  readonly action?: ToastAction
  /** Not about what the user is doing now, so it waits until no dialog or preview is open. */
  readonly isBackground?: boolean
}

/** Shows a toast on the page. Returns how to take it away. */
type ShowOnPage = (toast: Toast) => () => void

/** A toast that is shown inside a dialog, sheet or preview. */
export interface InlineToast extends Toast {
  readonly place: HTMLElement
  readonly shownAt: number
}

/** If a dialog closes within this time, its answer appears on the page. In milliseconds. */
const CLOSING_TIME = 60
/** If a dialog closes sooner than this after its toast appeared, the toast moves to the page. In milliseconds. */
const READING_TIME = 1500
const SUCCESS_SHOWN = 4000

let lastId = 0
let inline: readonly InlineToast[] = []
const listeners = new Set<() => void>()

function setInline(next: readonly InlineToast[]): void {
  inline = next
  for (const listener of listeners) listener()
}

export function subscribeToInlineToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function inlineToasts(): readonly InlineToast[] {
  return inline
}

export function hideInlineToast(id: string): void {
  if (inline.some((toast) => toast.id === id)) setInline(inline.filter((toast) => toast.id !== id))
}

/**
 * Shows a toast where it belongs: inside the dialog, sheet or preview that is open, else on the page. Returns how to
 * take it away, wherever it is by then.
 */
export function showToast(content: Omit<Toast, 'id'>, showOnPage: ShowOnPage): () => void {
  lastId += 1
  const toast: Toast = { ...content, id: `toast-${lastId}` }
  let stop: () => void = () => {}
  const place = () => {
    const element = topToastPlace()
    if (toast.isBackground && isToastPlaceOpen()) stop = onNoPlaceOpen(place)
    else if (element) stop = showInline(toast, element, showOnPage)
    else stop = showOnPage(toast)
  }
  if (isToastPlaceOpen() && !toast.isBackground) {
    const timer = setTimeout(place, CLOSING_TIME)
    stop = () => clearTimeout(timer)
  } else place()
  return () => stop()
}

/** Runs something once, when the last dialog or preview has closed. Returns how to cancel that. */
function onNoPlaceOpen(run: () => void): () => void {
  const stop = onToastPlaceClosed(() => {
    if (isToastPlaceOpen()) return
    stop()
    run()
  })
  return stop
}

function showInline(toast: Toast, place: HTMLElement, showOnPage: ShowOnPage): () => void {
  const shownAt = Date.now()
  setInline([...inline.filter((known) => known.place !== place), { ...toast, place, shownAt }])
  const timer =
    toast.kind === 'success' && !toast.action ? setTimeout(() => hideInlineToast(toast.id), SUCCESS_SHOWN) : undefined
  let hide = () => hideInlineToast(toast.id)
  const stopWatching = onToastPlaceClosed(() => {
    if (topToastPlace() === place) return
    stopWatching()
    const isShown = inline.some(({ id }) => id === toast.id)
    hideInlineToast(toast.id)
    const isUnread = Date.now() - shownAt < READING_TIME
    if (isShown && (isUnread || toast.action || toast.kind === 'busy')) hide = showOnPage(toast)
  })
  return () => {
    clearTimeout(timer)
    stopWatching()
    hide()
  }
}
