import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notify.module.css'

const SUCCESS_SHOWN = 4000
const ERROR_SHOWN = 8000
/** One that can still be acted on stays long enough to be read, thought about and reached. */
const ACTION_SHOWN = 10_000

/** What is over sooner needs no word about being under way. */
const BUSY_DELAY = 500

/** Marks the buttons of toasts, for the key that goes to the newest of them. */
const ACTION = 'data-toast-action'

const success = {
  icon: <IconCircleCheckFilled size={20} />,
  role: 'status',
  autoClose: SUCCESS_SHOWN,
  closeButtonProps: { 'aria-label': 'Dismiss' },
  style: { '--toast-color': 'var(--alcove-primary-text)' },
} satisfies Partial<NotificationData>

const failure = {
  icon: <IconAlertTriangle size={20} stroke={1.75} />,
  role: 'alert',
  autoClose: ERROR_SHOWN,
  closeButtonProps: { 'aria-label': 'Dismiss' },
  style: { '--toast-color': 'var(--alcove-danger)' },
} satisfies Partial<NotificationData>

/**
 * Tells on the page that something was done; `icon` replaces the green tick, as the heart does for favorites. Gives how
 * to take the toast away before its time.
 */
export function notifySuccess(text: string, icon?: ReactNode): () => void {
  const id = notifications.show({ ...success, message: text, icon: icon ?? success.icon })
  return () => void notifications.hide(id)
}

/** Tells on the page that something failed, and offers what can be done about it. */
export function notifyError(text: string, action?: ToastAction): void {
  if (action) showWithAction({ ...failure, message: text }, action)
  else notifications.show({ ...failure, message: text })
}

export interface ToastAction {
  readonly label: string
  readonly run: () => void
}

/**
 * Shows a toast with a button for what may follow; `icon` replaces the green tick. Returns a function that takes the toast
 * away again.
 */
export function notifyWithAction(text: string, action: ToastAction, icon?: ReactNode): () => void {
  return showWithAction({ ...success, message: text, icon: icon ?? success.icon }, action)
}

function showWithAction({ message, ...toast }: NotificationData, { label, run }: ToastAction): () => void {
  const id = notifications.show({
    ...toast,
    autoClose: ACTION_SHOWN,
    message: (
      <span className={styles.line}>
        <span>{message}</span>
        <Button
          className={styles.action}
          variant="subtle"
          size="compact-sm"
          {...{ [ACTION]: true }}
          // The mouse leaves the focus where it is; the keyboard gets it back.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            returnFocus()
            hide()
            run()
          }}
        >
          {label}
        </Button>
      </span>
    ),
    // It does not go while the keyboard is in it; under the mouse it stays of itself.
    onFocusCapture: () => void notifications.update({ id, autoClose: false } as NotificationData),
    onBlurCapture: () => void notifications.update({ id, autoClose: ACTION_SHOWN } as NotificationData),
  })
  const hide = () => void notifications.hide(id)
  return hide
}

/** Where the focus was before it went to a toast. */
let cameFrom: HTMLElement | undefined

/** Moves the focus to the button of the newest toast that has one; false when there is none. */
export function focusToastAction(): boolean {
  const button = [...document.querySelectorAll<HTMLElement>(`[${ACTION}]`)].at(-1)
  if (!button || button === document.activeElement) return false
  cameFrom = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
  button.focus()
  return true
}

/** Leaves the toasts for where the focus was, or if that has gone, for the item that has the keyboard. */
function returnFocus(): void {
  if (!document.activeElement?.matches(`[${ACTION}]`)) return
  const place = cameFrom?.isConnected && cameFrom !== document.body ? cameFrom : undefined
  ;(place ?? document.querySelector<HTMLElement>('main [data-item-id][tabindex="0"]'))?.focus()
}

/** Tells that something is under way, if it takes long enough to be noticed. Gives how to end that. */
export function notifyBusy(text: string): () => void {
  let id: string | undefined
  const timer = setTimeout(() => {
    id = notifications.show({
      message: text,
      loading: true,
      role: 'status',
      autoClose: false,
      withCloseButton: false,
      style: { '--toast-color': 'var(--alcove-primary-text)' },
    } as NotificationData)
  }, BUSY_DELAY)
  return () => {
    clearTimeout(timer)
    if (id) notifications.hide(id)
  }
}
