/**
 * Puts a text into the clipboard; false where the browser allows neither way. Without the permission, or on a page that
 * is not secure, it is copied as a person would: from `field`, which shows it already, or from one made for it.
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
