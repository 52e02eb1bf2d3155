import { useCallback, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'

/** Returns a function that opens a path after a wait, unless the user has left the screen by then. */
export function useRedirectLater(): (path: string, wait: number, state?: unknown) => void {
  const navigate = useNavigate()
  const timer = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return useCallback(
    (path, wait, state) => {
      window.clearTimeout(timer.current)
      timer.current = window.setTimeout(() => void navigate(path, { state }), wait)
    },
    [navigate],
  )
}
