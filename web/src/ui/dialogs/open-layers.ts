import { useMounted } from '@mantine/hooks'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createStore, type Store } from '../../lib/store.ts'
import { useOverlay } from './overlay-history.ts'

/** How many dialogs, sheets and previews are on the page. */
const openDialogs = createStore(0)
/** How many of them are not closing, and so get all keys. */
const keyTakers = createStore(0)
/** How many menus are open. */
const openMenus = createStore(0)

/** The event in which a layer was removed: the same key press must not also reach the page below. */
let removedIn: Event | undefined

/** Counts a layer while it is on the page. */
function useCounted(count: Store<number>, isPresent: boolean): void {
  useEffect(() => {
    if (!isPresent) return
    count.set(count.get() + 1)
    return () => {
      count.set(count.get() - 1)
      removedIn = window.event
    }
  }, [count, isPresent])
}

/**
 * Counts a dialog or preview while it is on the page, and keeps keys from the page while it is open. One that fades out has returned the
 * focus, and no longer does.
 */
export function useOpenDialog(isPresent: boolean, isOpen = isPresent): void {
  useCounted(openDialogs, isPresent)
  useCounted(keyTakers, isOpen)
}

/**
 * Returns the focus in the moment a dialog begins to close, to where it was when the dialog opened. Mantine does so a little later,
 * and a key that is pressed before would be lost.
 */
export function useFocusReturn(isOpen: boolean): void {
  const opener = useRef<Element>(null)
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (isOpen) opener.current = focused
    else if (opener.current instanceof HTMLElement && (focused === document.body || focused?.closest('[aria-modal]')))
      opener.current.focus({ preventScroll: true })
  }, [isOpen])
}

/** What Mantine's `Modal` and `Drawer` need to know. */
interface DialogProps {
  readonly opened: boolean
  readonly onClose: () => void
  readonly onExitTransitionEnd: () => void
  readonly returnFocus: false
}

/**
 * Returns the properties of a dialog or sheet. Makes Back close it, and counts it until it has faded out, because it holds
 * the focus until then.
 */
export function useDialog(isOpen: boolean, onClose: () => void): DialogProps {
  // A dialog that isn't rendered closed first appears without its transition.
  const isMounted = useMounted()
  const [isPresent, setIsPresent] = useState(isOpen)
  if (isOpen && !isPresent) setIsPresent(true)
  useOverlay(isOpen, onClose)
  useFocusReturn(isOpen)
  useOpenDialog(isPresent, isOpen)
  return {
    ...{ opened: isOpen && isMounted, onClose, returnFocus: false },
    onExitTransitionEnd: () => setIsPresent(false),
  }
}

/**
 * Counts a menu while it is open, and makes Back and Escape close it. Mantine hears Escape only inside of the menu, which gets the focus
 * after it has been shown.
 */
export function useMenu(isOpen: boolean, onClose: () => void): void {
  useOverlay(isOpen, onClose)
  useCounted(openMenus, isOpen)
  useLayoutEffect(() => {
    if (!isOpen) return
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && onClose()
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [isOpen, onClose])
}

export function countOpenDialogs(): number {
  return openDialogs.get()
}

export function isDialogOpen(): boolean {
  return openDialogs.get() > 0
}

/** Returns whether the focus is in a dialog, which keeps it: what happens on the page below must not take it away. */
export function isFocusInDialog(): boolean {
  return document.activeElement?.closest('[aria-modal]') != null
}

/**
 * Returns whether a key press belongs to an input field, a dialog or a menu and not to the page. Pages listen on the
 * document, so each of them must check this.
 */
export function isKeyTaken(event: Event): boolean {
  if (event === removedIn || keyTakers.get() > 0 || isFocusInDialog() || openMenus.get() > 0) return true
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select')) return true
  const input = target.closest('input')
  return input !== null && !NOT_TYPED_IN.has(input.type)
}

const NOT_TYPED_IN = new Set(['checkbox', 'radio', 'button', 'submit', 'range'])

/** Within this time after a dialog has left the page, the focus is where it stays, in milliseconds. */
const FOCUS_RETURN_TIME = 100

/**
 * Calls `run` once no dialog is on the page, or no more than `below`, and the last one has returned the focus. Returns a
 * function that cancels that.
 */
export function afterDialogs(run: () => void, below = 0): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    if (countOpenDialogs() <= below) timer = setTimeout(finish, FOCUS_RETURN_TIME)
  }
  const unsubscribe = openDialogs.subscribe(wait)
  const cancel = () => {
    clearTimeout(timer)
    unsubscribe()
  }
  const finish = () => {
    cancel()
    run()
  }
  wait()
  return cancel
}
