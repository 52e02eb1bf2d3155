import { Button } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { useMedia } from '../../../lib/use-media.ts'

interface ShareButtonProps {
  readonly link: string
  readonly title: string | undefined
}

/** Opens the system's share sheet on phones and tablets. */
export function ShareButton({ link, title }: ShareButtonProps) {
  const isTouch = useMedia('(pointer: coarse)')
  if (!isTouch || typeof navigator.share !== 'function') return null
  // It rejects if the user closes the sheet.
  const share = () => navigator.share({ url: link, title }).catch(() => undefined)
  return (
    <Button variant="default" leftSection={<IconShare2 size={18} stroke={1.75} />} onClick={() => void share()}>
      Share
    </Button>
  )
}
