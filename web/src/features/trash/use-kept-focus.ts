import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { afterDialogs } from '../../ui/dialogs/after-dialogs.ts'

/**
 * Which item of a list has the focus, as its index or -1. When that item goes, and the focus with it, `moveFocus` is
 * asked to give it to the one that has taken its place.
 */
export function useKeptFocus(items: readonly { readonly id: string }[], moveFocus: (index: number) => void) {
  const [id, setId] = useState<string>()
  const index = items.findIndex((item) => item.id === id)
  const isGone = id !== undefined && index === -1
  const lastIndex = useRef(0)
  const keep = useEffectEvent(() => {
    if (document.activeElement === document.body) moveFocus(Math.min(lastIndex.current, items.length - 1))
  })

  useEffect(() => {
    if (index !== -1) lastIndex.current = index
  }, [index])

  useEffect(() => {
    if (!isGone) return
    return afterDialogs(() => {
      setId(undefined)
      keep()
    })
  }, [isGone])

  return { index, setId }
}
