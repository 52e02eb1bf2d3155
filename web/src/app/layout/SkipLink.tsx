import styles from './SkipLink.module.css'

export const MAIN_ID = 'main'

/** The first stop of the keyboard: jumps over header and navigation. */
export function SkipLink() {
  return (
    <a
      className={styles.skip}
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        event.preventDefault() // the address keeps its own hash
        document.getElementById(MAIN_ID)?.focus()
      }}
    >
      Skip to content
    </a>
  )
}
