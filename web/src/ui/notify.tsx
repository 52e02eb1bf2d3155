import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'

const SUCCESS_SHOWN = 4000
const ERROR_SHOWN = 8000

/** Tells on the page that something was done; `icon` replaces the green tick, as the heart does for favorites. */
export function notifySuccess(text: string, icon?: ReactNode): void {
  notifications.show({
    message: text,
    icon: icon ?? <IconCircleCheckFilled size={20} />,
    role: 'status',
    autoClose: SUCCESS_SHOWN,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    style: { '--toast-color': 'var(--alcove-primary-text)' },
  })
}

/** Tells on the page that something failed. */
export function notifyError(text: string): void {
  notifications.show({
    message: text,
    icon: <IconAlertTriangle size={20} stroke={1.75} />,
    role: 'alert',
    autoClose: ERROR_SHOWN,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    style: { '--toast-color': 'var(--alcove-danger)' },
  })
}
