import { Menu, type MenuProps } from '@mantine/core'
import { useState } from 'react'
import { useMenu } from './dialogs/open-layers.ts'

/** Mantine's `Menu`, which Back closes too. */
export function Dropdown({ defaultOpened = false, onClose, ...props }: MenuProps) {
  const [isOpen, setIsOpen] = useState(defaultOpened)
  useMenu(isOpen, () => {
    setIsOpen(false)
    onClose?.()
  })
  return <Menu {...props} opened={isOpen} onChange={setIsOpen} onClose={onClose} />
}
