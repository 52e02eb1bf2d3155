import type { ReactNode } from 'react'
import { isAnswerPlaceOpen, onAnswerPlaceClosed, topAnswerPlace } from './answer-places.ts'

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
  /** Answers nothing that the user does just now, so it waits until no dialog or preview is open. */
  readonly isBackground?: boolean
}

/** Shows a toast on the page. Returns how to take it away. */
type ShowOnPage = (toast: Toast) => () => void

/** A toast that is shown inside a dialog, sheet or preview. */
export interface InlineToast extends Toast {
  readonly place: HTMLElement
  readonly shownAt: number
}

/** A dialog that closes with its answer has this long to do so; the answer then appears on the page. In milliseconds. */
const CLOSING_TIME = 60
/** An answer that was to be read for less than this when its dialog closed goes on to the page. In milliseconds. */
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
    const element = topAnswerPlace()
    if (element && !toast.isBackground) stop = showInline(toast, element, showOnPage)
    else if (isAnswerPlaceOpen()) stop = onNoPlaceOpen(place)
    else stop = showOnPage(toast)
  }
  if (isAnswerPlaceOpen() && !toast.isBackground) {
    const timer = setTimeout(place, CLOSING_TIME)
    stop = () => clearTimeout(timer)
  } else place()
  return () => stop()
}

/** Runs something once, when nothing lies over the page any more. */
function onNoPlaceOpen(run: () => void): () => void {
  const stop = onAnswerPlaceClosed(() => {
    if (isAnswerPlaceOpen()) return
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
  const stopWatching = onAnswerPlaceClosed(() => {
    if (topAnswerPlace() === place) return
    stopWatching()
    const isShown = inline.some(({ id }) => id === toast.id)
    hideInlineToast(toast.id)
    if (isShown && (Date.now() - shownAt < READING_TIME || toast.kind === 'busy')) hide = showOnPage(toast)
  })
  return () => {
    clearTimeout(timer)
    stopWatching()
    hide()
  }
}
