import { Button, VisuallyHidden } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { notifyError } from '../../ui/toasts/notify.tsx'

interface OpenPortalButtonProps {
  readonly portalUrl: string | null
  readonly size?: 'xs' | 'sm'
}

/** Opens the card provider's billing portal in a new tab. */
export function OpenPortalButton({ portalUrl, size = 'sm' }: OpenPortalButtonProps) {
  function open() {
    if (portalUrl) window.open(portalUrl, '_blank', 'noopener')
    else notifyError('Unable to load billing portal link.')
  }
  return (
    <Button variant="default" size={size} leftSection={<IconExternalLink size={18} stroke={1.75} />} onClick={open}>
      Open Billing Portal
      <VisuallyHidden component="span"> (opens in a new tab)</VisuallyHidden>
    </Button>
  )
}
