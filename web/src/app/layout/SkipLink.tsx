import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import styles from './SkipLink.module.css'

export const MAIN_ID = 'main'

/** The first element in the tab order. It skips the header and the navigation. */
export function SkipLink() {
  return (
    <a
      className={styles.skip}
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        event.preventDefault() // the address keeps its own hash
        document.getElementById(MAIN_ID)?.focus()
      }}
    >
      Skip to content
    </a>
  )
}

/** Moves the focus to the content after a change of screen, as after a page load. */
export function useFocusMain(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById(MAIN_ID)?.focus({ preventScroll: true })
  }, [pathname])
}
