import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef, MouseEvent } from 'react'

interface BusyButtonProps extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {}

/** A button with a loading state. */
export function BusyButton(props: BusyButtonProps) {
  return <Button renderRoot={focusableRoot(props)} {...props} />
}

interface BusyState {
  readonly loading?: boolean
  readonly disabled?: boolean
}

/**
 * Returns the root of a Mantine button that does nothing while it loads but keeps the focus. A disabled button would lose
 * it, and a dialog that opens meanwhile would have nothing to return the focus to.
 */
export function focusableRoot({ loading, disabled }: BusyState) {
  return (root: ComponentPropsWithRef<'button'>) => (
    <button
      {...root}
      disabled={disabled}
      aria-disabled={loading || root['aria-disabled']}
      onClick={loading ? preventSubmit : root.onClick}
    />
  )
}

/** Enter in a form clicks its submit button. */
function preventSubmit(event: MouseEvent): void {
  event.preventDefault()
}
