import { useEffect } from 'react'
import { undo } from '../items/lists/undo.ts'
import { isMac } from '../lib/platform.ts'
import { isKeyTaken } from '../lib/shortcuts.ts'
import { showShortcuts } from '../ui/dialogs/show-shortcuts.ts'
import { focusToastAction } from '../ui/toasts/notify.tsx'

/** The keys of every signed-in screen. */
export function AppShortcuts() {
  useEffect(() => {
    const handle = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isKeyTaken(event)) return
      const isMod = isMac ? event.metaKey : event.ctrlKey
      const isUndo = isMod && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
      if (!isUndo) return
      event.preventDefault()
      undo()
    }
    // Before the list takes a question mark for the beginning of a name; and before F6 goes anywhere else, since a toast
    // waits for a few seconds only.
    const handleFirst = (event: KeyboardEvent) => {
      const isHelp = event.key === '?' && !event.ctrlKey && !event.metaKey && !isKeyTaken(event)
      if (isHelp) showShortcuts()
      else if (event.key !== 'F6' || !focusToastAction()) return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', handle)
    window.addEventListener('keydown', handleFirst, true)
    return () => {
      document.removeEventListener('keydown', handle)
      window.removeEventListener('keydown', handleFirst, true)
    }
  }, [])
  return null
}
