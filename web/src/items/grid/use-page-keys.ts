import { useEffect, useEffectEvent, useRef } from 'react'
import { isMac } from '../../lib/platform.ts'
import { isKeyTaken } from '../../lib/shortcuts.ts'

interface PageKeys {
  readonly onSelectAll: () => void
  readonly onClear: () => void
}

/** The keys for a whole list, wherever the focus is on the page. */
export function usePageKeys({ onSelectAll, onClear }: PageKeys): void {
  const wasMenuOpen = useRef(false)
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.shiftKey || isKeyTaken(event) || wasMenuOpen.current) return
    const isControl = isMac ? event.metaKey : event.ctrlKey
    if (event.key === 'Escape') onClear()
    else if (isControl && event.key.toLowerCase() === 'a') {
      event.preventDefault()
      onSelectAll()
    }
  })
  useEffect(() => {
    // A menu closes at its key before that comes here.
    const look = () => {
      wasMenuOpen.current = document.querySelector('[role="menu"]') !== null
    }
    const onKeyDown = (event: KeyboardEvent) => handle(event)
    document.addEventListener('keydown', look, { capture: true })
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('keydown', look, { capture: true })
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}
