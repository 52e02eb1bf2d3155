/** Whether this is a Mac (or an iPad with a keyboard), where Command does what Control does elsewhere. */
export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)

/** The modifier key of shortcuts, as written before a letter: `⌘` or `Ctrl+`. */
export const modKey = isMac ? '⌘' : 'Ctrl+'

/**
 * Returns whether a key press belongs to an input field or a dialog and not to the page. Pages listen on the document,
 * so each of them must check this.
 */
export function isKeyTaken({ target }: Event): boolean {
  if (document.querySelector('[aria-modal="true"]')) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select')) return true
  const input = target.closest('input')
  return input !== null && !NOT_TYPED_IN.has(input.type)
}

const NOT_TYPED_IN = new Set(['checkbox', 'radio', 'button', 'submit', 'range'])
