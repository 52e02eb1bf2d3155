import { Menu, type MenuProps } from '@mantine/core'
import { useState } from 'react'
import { useOverlay } from './dialogs/use-overlay.ts'

/** Mantine's menu, which Back closes too. Its parts are those of `Menu`. */
export function Dropdown({ defaultOpened = false, onClose, ...props }: MenuProps) {
  const [isOpen, setIsOpen] = useState(defaultOpened)
  useOverlay(isOpen, () => {
    setIsOpen(false)
    onClose?.()
  })
  return <Menu {...props} opened={isOpen} onChange={setIsOpen} onClose={onClose} />
}
