import type { MouseEvent } from 'react'
import { dropSecondClick } from '../second-click.ts'

/**
 * What lies between the page and a dialog. A click on it closes the dialog, but not the second one of the double click that opened it,
 * nor does that take the focus.
 */
export const scrim = {
  color: 'var(--alcove-scrim)',
  backgroundOpacity: 1,
  onMouseDown: (event: MouseEvent) => event.preventDefault(),
  onClickCapture: dropSecondClick,
}
