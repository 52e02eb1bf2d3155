import { useEffect, useEffectEvent, useState } from 'react'

/** A part of the program that is fetched only when it is needed. Other than React's own `lazy` it can be tried again. */
export function useLoaded<T>(load: () => Promise<T>, onFail: () => void): T | undefined {
  // In an object, since what is loaded may be a function, which `setState` would call.
  const [loaded, setLoaded] = useState<{ readonly value: T }>()
  const start = useEffectEvent(load)
  const fail = useEffectEvent(onFail)
  useEffect(() => {
    let isWanted = true
    start().then(
      (value) => isWanted && setLoaded({ value }),
      () => isWanted && fail(),
    )
    return () => {
      isWanted = false
    }
  }, [])
  return loaded?.value
}
