import styles from './FieldNote.module.css'

interface FieldNoteProps {
  readonly text: string | undefined
}

/** A warning below a field, which doesn't prevent anything. It is in the document when it is empty, so that changes are read out. */
export function FieldNote({ text }: FieldNoteProps) {
  return (
    <p className={styles.note} role="status">
      {text}
    </p>
  )
}
