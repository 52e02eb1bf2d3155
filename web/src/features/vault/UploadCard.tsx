import { Button } from '@mantine/core'
import { IconX, type TablerIcon } from '@tabler/icons-react'
import { type FormEvent, useRef } from 'react'
import { readFileMetadata } from '../../items/lists/read-file-metadata.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ItemName } from '../../ui/ItemName.tsx'
import styles from './UploadCard.module.css'

interface UploadCardProps {
  readonly picks: 'files' | 'folder'
  readonly Icon: TablerIcon
  /** What is chosen, or that something is to be. */
  readonly title: string
  readonly help: string
  readonly isChosen: boolean
  readonly verb: string
  readonly VerbIcon: TablerIcon
  /** An upload runs, of this form or the other. */
  readonly isBusy: boolean
  readonly progress?: Progress
  readonly onPick: (files: File[]) => void
  readonly onSubmit: () => void
}

interface Progress {
  readonly name: string
  readonly details: string
  readonly percent: number
  readonly cancel: () => void
}

/** A form for one kind of upload: its left part chooses, its button sends, and while it runs it tells how far. */
export function UploadCard(props: UploadCardProps) {
  const { picks, Icon, title, help, isChosen, verb, VerbIcon, isBusy, progress, onPick, onSubmit } = props
  const input = useRef<HTMLInputElement | null>(null)

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }

  return (
    <form
      className={styles.card}
      aria-label={verb}
      data-lit={isChosen || progress !== undefined || undefined}
      onSubmit={submit}
    >
      <input
        ref={(element) => {
          input.current = element
          if (element) element.webkitdirectory = picks === 'folder'
        }}
        type="file"
        multiple
        hidden
        aria-label={picks === 'folder' ? 'Folder' : 'File'}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          void readFileMetadata(files).then(() => onPick(files))
          event.currentTarget.value = '' // the same file may be chosen again
        }}
      />
      <div className={styles.top}>
        <button type="button" className={styles.choice} disabled={isBusy} onClick={() => input.current?.click()}>
          <span className={styles.plate} aria-hidden>
            <Icon size={20} stroke={1.75} />
          </span>
          <span className={styles.words}>
            <ItemName name={progress?.name ?? title} className={styles.title} />
            <span className={styles.help}>{progress?.details ?? help}</span>
          </span>
        </button>
        <Button
          type="submit"
          className={styles.verb}
          disabled={isBusy}
          leftSection={<VerbIcon size={18} stroke={1.75} />}
        >
          {verb}
        </Button>
      </div>
      {progress && (
        <div className={styles.progress}>
          <div
            className={styles.track}
            role="progressbar"
            aria-label={`Encrypting ${progress.name}`}
            aria-valuenow={progress.percent}
            aria-valuemin={0}
            aria-valuemax={100}
          >
            <div className={styles.bar} style={{ width: `${progress.percent}%` }} />
          </div>
          <span className={styles.percent}>{progress.percent}%</span>
          <IconButton label={`Cancel the upload of ${progress.name}`} onClick={progress.cancel}>
            <IconX size={18} stroke={1.75} />
          </IconButton>
        </div>
      )}
    </form>
  )
}
