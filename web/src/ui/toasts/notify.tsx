import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './notify.module.css'
import { showToast, type Toast, type ToastAction } from './toasts.ts'

export type { ToastAction }

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

const busy = {
  icon: undefined,
  loading: true,
  role: 'status',
  autoClose: false,
  withCloseButton: false,
  style: { '--toast-color': 'var(--alcove-primary-text)' },
} satisfies Partial<NotificationData>

/** How often each toast on the page was shown, by its id. */
const repeats = new Map<string, number>()

/**
 * Shows a toast on the page. If the same text is already there, without a button, it isn't repeated: it stays for its full
 * time again.
 */
function showOnPage(toast: Toast): () => void {
  const id = toast.action || toast.kind === 'busy' ? toast.id : `${toast.kind} ${toast.text}`
  const look = { success, failure, busy }[toast.kind]
  const repeat = (repeats.get(id) ?? 0) + 1
  repeats.set(id, repeat)
  const content = {
    ...look,
    id,
    icon: toast.icon ?? look.icon,
    message: toast.action ? <ToastLine id={id} toast={toast} action={toast.action} /> : toast.text,
    onClose: () => repeats.delete(id),
    ...(toast.action && keptByFocus(id)),
  } as NotificationData & { id: string }
  if (repeat === 1) notifications.show(content)
  // Mantine restarts the timer when the duration changes, even by a millisecond.
  else notifications.update({ ...content, autoClose: Number(content.autoClose) + (repeat % 2) })
  return () => void notifications.hide(id)
}

/** Keeps a toast while it has the keyboard's focus; Mantine keeps it under the mouse. */
function keptByFocus(id: string): Partial<NotificationData> {
  const stay = (autoClose: number | false) => () => void notifications.update({ id, autoClose } as NotificationData)
  return { autoClose: ACTION_SHOWN, onFocusCapture: stay(false), onBlurCapture: stay(ACTION_SHOWN) }
}

interface ToastLineProps {
  readonly id: string
  readonly toast: Toast
  readonly action: ToastAction
}

function ToastLine({ id, toast: { text, detail }, action }: ToastLineProps) {
  return (
    <span className={styles.line}>
      <span>
        <span>{text}</span> {detail && <span className={styles.detail}>{detail}</span>}
      </span>
      <ToastButton action={action} onDone={() => void notifications.hide(id)} />
    </span>
  )
}

interface ToastButtonProps {
  readonly action: ToastAction
  /** Takes the toast away, before what the button does. */
  readonly onDone: () => void
}

/** The button for what may follow. The key that goes to the newest toast finds it. */
export function ToastButton({ action: { label, run }, onDone }: ToastButtonProps) {
  return (
    <Button
      className={styles.action}
      variant="subtle"
      size="compact-sm"
      {...{ [ACTION]: true }}
      // The mouse leaves the focus where it is; the keyboard gets it back.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        returnFocus()
        onDone()
        run()
      }}
    >
      {label}
    </Button>
  )
}

/**
 * Tells that something was done; `icon` replaces the green tick, as the heart does for favorites. Returns how to take
 * the toast away before its time.
 */
export function notifySuccess(text: string, icon?: ReactNode): () => void {
  return showToast({ kind: 'success', text, icon }, showOnPage)
}

/** Tells that something failed, and offers what can be done about it. */
export function notifyError(text: string, action?: ToastAction): void {
  showToast({ kind: 'failure', text, action }, showOnPage)
}

/** Tells of work that went on by itself, such as uploads: on the page alone, once no dialog or preview is open. */
export function notifyInBackground(kind: 'success' | 'failure', text: string): void {
  showToast({ kind, text, isBackground: true }, showOnPage)
}

/**
 * Shows a toast with a button for what may follow; `icon` replaces the green tick, and `detail` is a second line. Returns
 * a function that takes the toast away again.
 */
export function notifyWithAction(
  text: string,
  action: ToastAction,
  more: Pick<Toast, 'icon' | 'detail'> = {},
): () => void {
  return showToast({ kind: 'success', text, action, ...more }, showOnPage)
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

/** Tells that something is under way, if it takes long enough to be noticed. Returns how to end that. */
export function notifyBusy(text: string): () => void {
  let hide: (() => void) | undefined
  const timer = setTimeout(() => {
    hide = showToast({ kind: 'busy', text }, showOnPage)
  }, BUSY_DELAY)
  return () => {
    clearTimeout(timer)
    hide?.()
  }
}
