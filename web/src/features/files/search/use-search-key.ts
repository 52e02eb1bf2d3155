import { type RefObject, useEffect } from 'react'

const TYPED_INTO = 'input, textarea, select, [contenteditable]'

/** The key `/` brings the keyboard into the search box, unless it is being typed elsewhere or a dialog is open. */
export function useSearchKey(input: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    function handleKey(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(TYPED_INTO)) return
      if (document.querySelector('[aria-modal], [role="menu"]')) return
      event.preventDefault()
      event.stopPropagation()
      input.current?.focus()
      input.current?.select()
    }
    // Before a list takes it for the beginning of a name: no name has it.
    document.addEventListener('keydown', handleKey, { capture: true })
    return () => document.removeEventListener('keydown', handleKey, { capture: true })
  }, [input])
}
