import { Button, type ButtonProps } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { MouseEvent } from 'react'

interface DownloadButtonProps extends ButtonProps {
  readonly href: string
  readonly onDownload: () => void
}

/** A link to the bytes of a shared item, so that its address can be copied. A plain click calls `onDownload` instead. */
export function DownloadButton({ href, onDownload, ...props }: DownloadButtonProps) {
  function handleClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (event.detail < 2) onDownload()
  }
  return (
    <Button
      {...props}
      component="a"
      href={href}
      download
      leftSection={<IconDownload size={20} stroke={1.75} />}
      onClick={handleClick}
    />
  )
}
