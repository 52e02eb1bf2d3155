import { type RefObject, useEffect, useRef } from 'react'

/** A heading that the keyboard starts at, where the reader came here from within the page. */
export function useFocusedHeading(takesFocus: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const isWanted = useRef(takesFocus)
  useEffect(() => {
    if (isWanted.current) heading.current?.focus({ preventScroll: true })
  }, [])
  return heading
}
