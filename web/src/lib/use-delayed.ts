import { useEffect, useState } from 'react'

/** Returns true once a condition has been true for this many milliseconds, and false as soon as it is false. */
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
