import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Moves the focus to `fallback` when the row that had it leaves a list. `rows` changes with the rows. */
export function useKeptFocus(fallback: RefObject<HTMLElement | null>, rows: string | undefined): void {
  const before = useRef<string>(undefined)
  useLayoutEffect(() => {
    const isChange = before.current !== undefined && before.current !== rows
    before.current = rows
    if (isChange && (document.activeElement === null || document.activeElement === document.body)) {
      fallback.current?.focus({ preventScroll: true })
    }
  }, [fallback, rows])
}
