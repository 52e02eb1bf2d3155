import { useEffect, useEffectEvent } from 'react'
import { addOverlay } from './overlay-history.ts'

/** Lets Back close what lies over the page while it is open. */
export function useOverlay(isOpen: boolean, onClose: () => void): void {
  const close = useEffectEvent(onClose)
  useEffect(() => (isOpen ? addOverlay(() => close()) : undefined), [isOpen])
}
