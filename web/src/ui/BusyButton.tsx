import { Button, type ButtonProps } from '@mantine/core'
import { type ComponentPropsWithRef, useLayoutEffect, useRef } from 'react'

interface BusyButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps | 'ref'> {}

/** A dialog that closes when the work is done gives the focus back 10 ms later, and comes before us. */
const AFTER_DIALOGS = 20

/** A button whose work takes a while. It is disabled meanwhile, by which it loses the keyboard: afterwards it gets it back. */
export function BusyButton({ loading, ...others }: BusyButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const hadFocus = useRef(false)
  useLayoutEffect(() => {
    if (loading) hadFocus.current = document.activeElement === button.current
    if (loading || !hadFocus.current) return
    hadFocus.current = false
    const timer = window.setTimeout(() => {
      if (document.activeElement === document.body) button.current?.focus()
    }, AFTER_DIALOGS)
    return () => window.clearTimeout(timer)
  }, [loading])
  return <Button ref={button} loading={loading} {...others} />
}
