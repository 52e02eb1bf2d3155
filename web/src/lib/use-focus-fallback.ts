import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Moves the focus to `fallback` when the element that had it leaves the page. `shown` changes whenever one may have left. */
export function useFocusFallback(fallback: RefObject<HTMLElement | null>, shown: string | undefined): void {
  const before = useRef<string>(undefined)
  useLayoutEffect(() => {
    const isChange = before.current !== undefined && before.current !== shown
    before.current = shown
    if (isChange && (document.activeElement === null || document.activeElement === document.body)) {
      fallback.current?.focus({ preventScroll: true })
    }
  }, [fallback, shown])
}
