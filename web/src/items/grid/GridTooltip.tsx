import { Tooltip } from '@mantine/core'
import { type RefObject, useEffect, useState } from 'react'

const DELAY = 400

/** One tooltip for all icon buttons within an element. Shows the label of the hovered or focused button. */
export function GridTooltip({ within }: { readonly within: RefObject<HTMLElement | null> }) {
  const [button, setButton] = useState<HTMLElement>()
  useEffect(() => {
    const element = within.current
    if (!element) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const hide = () => {
      clearTimeout(timer)
      setButton(undefined)
    }
    const showLater = ({ target, type }: Event) => {
      hide()
      const found = target instanceof Element ? target.closest<HTMLElement>('button[aria-label]') : null
      if (!found || (type === 'focusin' && !found.matches(':focus-visible'))) return
      timer = setTimeout(() => found.isConnected && setButton(found), DELAY)
    }
    const controller = new AbortController()
    const { signal } = controller
    for (const type of ['pointerover', 'focusin']) element.addEventListener(type, showLater, { signal })
    for (const type of ['pointerleave', 'focusout', 'pointerdown', 'keydown'])
      element.addEventListener(type, hide, { signal })
    window.addEventListener('scroll', hide, { signal, passive: true })
    return () => {
      hide()
      controller.abort()
    }
  }, [within])
  return button && <Tooltip opened label={button.ariaLabel} target={button} openDelay={0} withinPortal={false} />
}
