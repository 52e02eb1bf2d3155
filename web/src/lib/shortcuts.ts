/**
 * Whether a key belongs to something else than the page: to a field that is typed in, or to a dialog. Pages listen on
 * the document, so this is asked by each of them.
 */
export function isKeyTaken({ target }: Event): boolean {
  if (document.querySelector('[aria-modal="true"]')) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('textarea, select')) return true
  const input = target.closest('input')
  return input !== null && !NOT_TYPED_IN.has(input.type)
}

const NOT_TYPED_IN = new Set(['checkbox', 'radio', 'button', 'submit', 'range'])
