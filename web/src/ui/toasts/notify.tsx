import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { createStore } from '../../lib/store.ts'
import styles from './notify.module.css'
import { showToast, type Toast, type ToastAction } from './toasts.ts'

export type { ToastAction }

const SUCCESS_SHOWN = 4000
const ERROR_SHOWN = 8000
/** A toast with a button stays long enough to be read and for its button to be reached. */
const ACTION_SHOWN = 10_000

/** Work that ends sooner is not announced. In milliseconds. */
const BUSY_DELAY = 500

/** Marks the buttons of toasts, so that F6 finds the newest one. */
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
 * Shows a toast on the page. If the same text is already there, without a button, it isn't repeated: it stays for its
 * full time again.
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
    autoClose: toast.shownFor ?? look.autoClose,
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
  /** Hides the toast, before the action runs. */
  readonly onDone: () => void
}

/** The button of a toast, also in dialogs. */
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

/** Reports that something was done. `icon` replaces the green tick. Returns a function that hides the toast early. */
export function notifySuccess(text: string, icon?: ReactNode): () => void {
  return showToast({ kind: 'success', text, icon }, showOnPage)
}

/** Reports that something failed, with a button for what the user can do about it. */
export function notifyError(text: string, action?: ToastAction): void {
  showToast({ kind: 'failure', text, action }, showOnPage)
}

/** Reports background work, such as uploads: on the page only, once no dialog or preview is open. */
export function notifyInBackground(kind: 'success' | 'failure', text: string): void {
  showToast({ kind, text, isBackground: true }, showOnPage)
}

/** Reports that something was done, with a button for a next step. Returns a function that hides the toast. */
export function notifyWithAction(
  text: string,
  action: ToastAction,
  more: Pick<Toast, 'icon' | 'detail'> = {},
): () => void {
  return showToast({ kind: 'success', text, action, ...more }, showOnPage)
}

/** The element that had the focus before it moved to a toast. */
const focusedBefore = createStore<HTMLElement | undefined>(undefined)

/** Moves the focus to the button of the newest toast that has one. Returns false if there is none. */
export function focusToastAction(): boolean {
  const button = [...document.querySelectorAll<HTMLElement>(`[${ACTION}]`)].at(-1)
  if (!button || button === document.activeElement) return false
  focusedBefore.set(document.activeElement instanceof HTMLElement ? document.activeElement : undefined)
  button.focus()
  return true
}

/** Moves the focus back to where it was. If that element is gone, the list's active item gets the focus. */
function returnFocus(): void {
  if (!document.activeElement?.matches(`[${ACTION}]`)) return
  const before = focusedBefore.get()
  const element = before?.isConnected && before !== document.body ? before : undefined
  ;(element ?? document.querySelector<HTMLElement>('main [data-item-id][tabindex="0"]'))?.focus()
}

/** Reports that something is in progress, if it takes long enough to be noticed. Returns a function that ends that. */
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
