/**
 * Copies a text to the clipboard. Resolves with false if the browser doesn't allow it. Without the permission, or in an
 * insecure context, the text is copied from an input: `field` if it contains the text, or a temporary one.
 */
export async function copyText(text: string, field?: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return field ? copyFrom(field) : copyFromNew(text)
  }
}

function copyFrom(field: HTMLInputElement): boolean {
  field.focus({ preventScroll: true })
  field.select()
  return document.execCommand('copy')
}

function copyFromNew(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('input')
  field.value = text
  field.readOnly = true
  field.style.cssText = 'position: fixed; top: 0; opacity: 0'
  document.body.append(field)
  try {
    return copyFrom(field)
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  }
}
