import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

interface Focused {
  readonly element: HTMLElement
  /** The first word of its label, such as `Cancel`. */
  readonly action: string
  /** The index of its row, or 0 outside the list. */
  readonly index: number
}

/**
 * Passes the focus on when the button that has it disappears: to the same action of the row that takes the place or is
 * next to it, else to another button there, else to the list or the page. Nothing happens if the user is elsewhere.
 */
export function useKeptFocus(container: RefObject<HTMLElement | null>) {
  const focused = useRef<Focused>(undefined)

  useLayoutEffect(() => {
    if (!focused.current || focused.current.element.isConnected || document.activeElement !== document.body) return
    const { action, index } = focused.current
    focused.current = undefined
    const all = [...(container.current?.querySelectorAll<HTMLElement>('button, a') ?? [])]
    const above = all.filter((button) => indexOf(button) < index)
    const buttons = [...all.slice(above.length), ...above.reverse()]
    const next = buttons.find((button) => actionOf(button) === action) ?? buttons[0]
    if (next) return next.focus()
    // The tray closes when its list is empty.
    const rest = container.current?.textContent ? container.current : document.querySelector('main')
    rest?.focus({ preventScroll: true })
  })

  return {
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      focused.current = { element: target, action: actionOf(target), index: indexOf(target) }
    },
    // React reports no blur for an element that it removes.
    onBlur: () => {
      focused.current = undefined
    },
  }
}

function actionOf(element: HTMLElement): string {
  return (element.ariaLabel ?? element.textContent).split(' ', 1)[0] ?? ''
}

function indexOf(element: HTMLElement): number {
  return Number(element.closest<HTMLElement>('[data-index]')?.dataset.index ?? 0)
}
