import type { MouseEvent } from 'react'

/** Keeps the second click of a double click from what the first one has put under the pointer. Takes clicks in the capture phase. */
export function dropSecondClick(event: MouseEvent): void {
  if (event.detail < 2) return
  event.preventDefault()
  event.stopPropagation()
}
