import { useEffect } from 'react'
import { type LazyModule, lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { createStore } from '../../lib/store.ts'
import { notifyError } from '../toasts/notify.tsx'
import type { Confirmation } from './Confirmation.tsx'

const place = lazyModule(() => import('./DialogPlace.tsx'), 'soon')
const isReady = createStore(false)
/** The dialog that was requested but doesn't have the focus yet. `isRefused` if the user has pressed Escape since. */
let opening: { isRefused: boolean } | undefined

/** Renders the dialogs. Its code is fetched after the first screen. */
export function Dialogs() {
  useEffect(() => {
    window.addEventListener('keydown', keepFromPage, { capture: true })
    return () => window.removeEventListener('keydown', keepFromPage, { capture: true })
  }, [])
  const module = useLazyModule(place, false)
  return module ? <module.DialogPlace onReady={noteReady} /> : null
}

function noteReady(): void {
  isReady.set(true)
}

/** Resolves when a dialog can be opened. Rejects if the code for that can't be fetched. */
async function untilReady(): Promise<void> {
  await place.load()
  if (!isReady.get()) await new Promise<void>((resolve) => isReady.subscribe(resolve))
}

/** Keeps a key from the page below a dialog that is being opened. Escape refuses the dialog. */
function keepFromPage(event: KeyboardEvent): void {
  if (!opening) return
  event.stopImmediatePropagation()
  // The browser's own shortcuts still work.
  if (!event.ctrlKey && !event.metaKey && !event.altKey && !/^F\d/.test(event.key)) event.preventDefault()
  if (event.key === 'Escape') opening.isRefused = true
}

/**
 * How long an opening may take at most, in milliseconds. A busy device needs time to draw a dialog. One that opens inside of another
 * takes no focus that could be noticed.
 */
const LONGEST_OPENING = { onPage: 3000, inDialog: 500 }

/**
 * Opens a dialog from a lazy module. A second click, or a key that is pressed before the dialog has the focus, does nothing
 * on the page. Resolves with whether the dialog could be opened.
 */
export async function openLater<M>(lazy: LazyModule<M>, open: (module: M) => void): Promise<boolean> {
  if (opening) return false
  const request = { isRefused: false }
  opening = request
  try {
    if (lazy.loaded && isReady.get()) open(lazy.loaded)
    else {
      const [module] = await Promise.all([lazy.load(), untilReady()])
      if (request.isRefused) {
        opening = undefined
        return false
      }
      open(module)
    }
    void untilFocused().then(() => {
      opening = undefined
      if (request.isRefused) pressEscape()
    })
    return true
  } catch {
    opening = undefined
    notifyError('This could not be opened. Check your connection, then try again.')
    return false
  }
}

function pressEscape(): void {
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
}

/** Resolves when the focus moves into a dialog. */
function untilFocused(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      document.removeEventListener('focusin', look)
      resolve()
    }
    const look = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('[aria-modal]')) stop()
    }
    const isInDialog = document.activeElement?.closest('[aria-modal]')
    const timer = setTimeout(stop, LONGEST_OPENING[isInDialog ? 'inDialog' : 'onPage'])
    document.addEventListener('focusin', look)
  })
}

const confirmation = lazyModule(() => import('./Confirmation.tsx'))

/** Asks before something is deleted. The focus starts on Cancel; Escape and a click outside mean no. */
export function confirm(question: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    void openLater(confirmation, ({ openConfirmation }) => openConfirmation(question, resolve)).then(
      (isOpen) => !isOpen && resolve(false),
    )
  })
}

const shortcutSheet = lazyModule(() => import('./ShortcutSheet.tsx'))

/** Shows the keyboard shortcuts. */
export function showShortcuts(): void {
  void openLater(shortcutSheet, ({ openShortcutSheet }) => openShortcutSheet())
}
