import { useEffect, useState } from 'react'

/** True once a condition has held for so many milliseconds, and not a moment longer than it holds. */
export function useDelayed(condition: boolean, milliseconds: number): boolean {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setIsLong(true), milliseconds)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [condition, milliseconds])
  return condition && isLong
}
