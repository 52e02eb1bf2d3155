import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { focusableRoot } from './BusyButton.tsx'

interface IconButtonProps extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  /** The accessible name and the tooltip: what the button does and to what. */
  readonly label: string
}

/** A button that shows only an icon. */
export function IconButton({ label, ...others }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} renderRoot={focusableRoot(others)} {...others} />
    </Tooltip>
  )
}
