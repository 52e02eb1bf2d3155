import { REDIRECT_AFTER_DELETION } from '@alcove/contract/limits'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { setAccountEnding } from '../../api/api.ts'
import { KeyNiche } from '../../ui/art/niches.tsx'
import styles from './Farewell.module.css'

/** Covers everything once the account is deleted, then goes to the goodbye page. */
export function Farewell() {
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()

  useEffect(() => {
    dialog.current?.showModal()
    const timer = window.setTimeout(async () => {
      await navigate('/goodbye', { replace: true })
      setAccountEnding('no')
    }, REDIRECT_AFTER_DELETION)
    return () => window.clearTimeout(timer)
  }, [navigate])

  return (
    <dialog
      ref={dialog}
      className={styles.farewell}
      aria-labelledby="farewell"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the focus needs a place in a dialog that has no control */}
      <div className={styles.content} tabIndex={0}>
        <KeyNiche className={styles.art} />
        <h2 className={styles.title} id="farewell">
          Your account is deleted
        </h2>
        <p className={styles.text} role="status">
          Your files are deleted and you are signed out everywhere. You will be redirected in a moment.
        </p>
      </div>
    </dialog>
  )
}
