import { useEffect, useEffectEvent } from 'react'

/** What keys do, by their name as the browser gives it; letters in lower case. */
export type KeyCommands = Readonly<Record<string, (() => void) | undefined>>

interface ViewKeysOptions {
  readonly isEnabled?: boolean
  /** Together with the control or command key, instead of alone. */
  readonly withControl?: boolean
}

/** Keys that work wherever the focus is in the preview, but where they have a meaning of their own. */
export function useViewKeys(commands: KeyCommands, { isEnabled = true, withControl = false }: ViewKeysOptions = {}) {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
    const command = Object.hasOwn(commands, key) ? commands[key] : undefined
    if (!command || event.altKey || (event.ctrlKey || event.metaKey) !== withControl) return
    if (isTakenElsewhere(event, withControl)) return
    event.preventDefault()
    command()
  })
  useEffect(() => {
    if (!isEnabled) return
    const onKeyDown = (event: KeyboardEvent) => handle(event)
    // On the way down: a tooltip that is open would keep Escape for itself.
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [isEnabled])
}

/** A dialog or menu over the preview, a field, or the player's own keys come first. */
function isTakenElsewhere({ target, key }: KeyboardEvent, withControl: boolean): boolean {
  const dialogs = document.querySelectorAll('[aria-modal]')
  if (dialogs.length > 1) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role="menu"], [role="listbox"], [data-own-keys]')) return true
  const isField = target.closest('input, textarea, select') !== null
  if (key === 'Escape' || withControl) return false
  return isField || target.closest('audio, video') !== null
}
