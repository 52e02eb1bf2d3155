import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useRef } from 'react'
import { type DropItems, useItemDrop } from '../../items/drag/use-item-drag.ts'
import { IconButton } from '../../ui/IconButton.tsx'

interface BackButtonProps {
  readonly className?: string
  /** Only an arrow, in the header of a phone. */
  readonly isIcon?: boolean
  /** The folder that it goes back to, which takes what is dropped on the button; without an id it is the root. */
  readonly above: { readonly id?: string; readonly name: string } | undefined
  readonly onBack: () => void
  readonly onMoveInto: DropItems
}

/** Goes to the folder above, or moves what is dropped on it there. */
export function BackButton({ className, isIcon = false, above, onBack, onMoveInto }: BackButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const isTarget = useItemDrop(button, above?.id, above && onMoveInto, {
    name: above?.name ?? '',
    onSpring: onBack,
  })
  if (isIcon) {
    return (
      <IconButton ref={button} label="Back" size={44} data-target={isTarget !== false || undefined} onClick={onBack}>
        <IconArrowLeft size={22} stroke={1.75} />
      </IconButton>
    )
  }
  return (
    <Button
      ref={button}
      className={className}
      variant="default"
      data-target={isTarget !== false || undefined}
      leftSection={<IconArrowLeft size={18} stroke={1.75} />}
      onClick={onBack}
    >
      Back
    </Button>
  )
}
