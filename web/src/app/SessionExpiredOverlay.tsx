import { SESSION_EXPIRED_COUNTDOWN_SECONDS } from '@alcove/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import styles from './SessionExpiredOverlay.module.css'
import { endSessionExpiry, useSessionExpired } from './session-expiry.ts'

/** Covers everything once the session has expired, counts down, and goes to the landing page. */
export function SessionExpiredOverlay() {
  const reason = useSessionExpired()
  const [seconds, setSeconds] = useState(SESSION_EXPIRED_COUNTDOWN_SECONDS)
  const dialog = useRef<HTMLDialogElement>(null)
  const navigate = useNavigate()

  // A modal dialog is above every other layer, makes the rest inert and takes the focus.
  useEffect(() => {
    dialog.current?.showModal()
  }, [])

  useEffect(() => {
    if (seconds > 0) {
      const timer = window.setTimeout(() => setSeconds(seconds - 1), 1000)
      return () => window.clearTimeout(timer)
    }
    void Promise.resolve(navigate('/')).then(endSessionExpiry)
  }, [seconds, navigate])

  return (
    <dialog
      ref={dialog}
      className={styles.overlay}
      role="alertdialog"
      aria-labelledby="session-expired"
      aria-describedby="session-expired-next"
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the focus needs a place in a dialog that has no control */}
      <div className={styles.content} tabIndex={0}>
        <CountdownArch seconds={seconds} />
        <h2 className={styles.title} id="session-expired">
          {typeof reason === 'string' ? reason : 'Your session has expired.'}
        </h2>
        <p className={styles.text} aria-hidden="true">
          Redirecting in {seconds} seconds...
        </p>
        <p className={styles.spoken} id="session-expired-next">
          You will be taken to the home page.
        </p>
      </div>
    </dialog>
  )
}

interface CountdownArchProps {
  readonly seconds: number
}

function CountdownArch({ seconds }: CountdownArchProps) {
  const left = seconds / SESSION_EXPIRED_COUNTDOWN_SECONDS
  const arch = 'M3 267V106a104 104 0 0 1 208 0v161'
  return (
    <div className={styles.arch} aria-hidden>
      <svg viewBox="0 0 214 270" aria-hidden="true" focusable="false">
        <defs>
          <linearGradient id="session-expired-niche" x1="0" y1="0" x2="0" y2="1">
            <stop offset="0" stopColor="#FEEDC9" stopOpacity=".34" />
            <stop offset="1" stopColor="#D6EFE4" stopOpacity=".08" />
          </linearGradient>
        </defs>
        <path fill="url(#session-expired-niche)" d={`${arch}z`} />
        <path className={styles.track} d={arch} />
        <path className={styles.lamp} d={arch} pathLength={1} strokeDasharray={`${left} 1`} />
      </svg>
      <span className={styles.number}>{seconds}</span>
    </div>
  )
}
