import { CloseButton, Loader } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react'
import { createPortal } from 'react-dom'
import { useStore } from '../../lib/store.ts'
import styles from './InlineToasts.module.css'
import { ToastButton } from './notify.tsx'
import { hideInlineToast, type InlineToast, inlineToasts } from './toasts.ts'

const icons = {
  success: <IconCircleCheckFilled size={20} />,
  failure: <IconAlertTriangle size={20} stroke={1.75} />,
  busy: <Loader size={20} />,
}

/** The toasts inside dialogs, sheets and previews. */
export function InlineToasts() {
  const toasts = useStore(inlineToasts)
  return toasts.map((toast) => createPortal(<InlineToastLine toast={toast} />, toast.place, toast.id))
}

function InlineToastLine({ toast }: { readonly toast: InlineToast }) {
  const { id, kind, text, detail, icon, action } = toast
  const hide = () => hideInlineToast(id)
  return (
    <div className={styles.toast} data-kind={kind}>
      <span className={styles.icon} aria-hidden>
        {icon ?? icons[kind]}
      </span>
      <p className={styles.text} role={kind === 'failure' ? 'alert' : 'status'}>
        <span>{text}</span> {detail}
      </p>
      {action && <ToastButton action={action} onDone={hide} />}
      {kind !== 'busy' && <CloseButton size={28} iconSize={16} aria-label="Dismiss" onClick={hide} />}
    </div>
  )
}
