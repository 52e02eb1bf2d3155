import { type FormEvent, useState } from 'react'
import styles from './PageField.module.css'

interface PageFieldProps {
  readonly page: number
  readonly count: number
  readonly onGo: (page: number) => void
}

/** The page in view; another number goes there. */
export function PageField({ page, count, onGo }: PageFieldProps) {
  const [typed, setTyped] = useState<string>()

  function go(event: FormEvent) {
    event.preventDefault()
    const wanted = Number.parseInt(typed ?? '', 10)
    setTyped(undefined)
    if (Number.isFinite(wanted)) onGo(Math.min(count, Math.max(1, wanted)))
  }

  return (
    <form className={styles.form} onSubmit={go}>
      <input
        className={styles.field}
        aria-label={`Page, of ${count}`}
        inputMode="numeric"
        value={typed ?? page}
        style={{ width: `calc(${String(count).length}ch + 18px)` }}
        onChange={(event) => setTyped(event.currentTarget.value.replace(/\D/g, ''))}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={() => setTyped(undefined)}
      />
      <span className={styles.count} aria-hidden>
        / {count}
      </span>
    </form>
  )
}
