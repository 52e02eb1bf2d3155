import { Button, type ButtonProps } from '@mantine/core'
import { type ComponentPropsWithRef, useLayoutEffect, useRef } from 'react'

interface BusyButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps | 'ref'> {}

/** A dialog that closes when the work is done returns the focus after 10 ms. It takes precedence. */
const AFTER_DIALOGS = 20

/**
 * A button with a loading state. While it loads it is disabled and so loses the focus. Afterwards it gets the focus
 * back.
 */
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
