import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { MAIN_ID } from './SkipLink.tsx'

/** After a move to another screen the keyboard and readers start at its content, as after a page load. */
export function useFocusMain(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
  }, [pathname])
}
