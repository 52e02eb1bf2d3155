import { Button, Checkbox } from '@mantine/core'
import { formatCount } from '../../lib/format.ts'
import type { ConflictAnswer } from '../../lib/upload-batches.ts'
import type { ConflictView } from '../../lib/upload-view.ts'
import { uploads } from '../../lib/uploads.ts'
import styles from './ConflictAnswers.module.css'
import { sidesOf } from './upload-texts.ts'

interface ConflictAnswersProps {
  readonly id: string
  readonly conflict: ConflictView
  /** How many names are taken, in all uploads. */
  readonly all: number
  readonly isForAll: boolean
  readonly onForAll: (isForAll: boolean) => void
}

/** Both sides of a name that is taken, and what can be done about it: for this one, or for all. */
export function ConflictAnswers({ id, conflict, all, isForAll, onForAll }: ConflictAnswersProps) {
  const answer = (given: ConflictAnswer) => uploads.resolve(id, given, isForAll && all > 1)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a look of its own
    <div className={styles.conflict} role="group" aria-label={`${conflict.name} exists already`}>
      <dl className={styles.sides}>
        {sidesOf(conflict).map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {all > 1 && (
        <Checkbox
          className={styles.forAll}
          size="xs"
          label={`Do this for all ${formatCount(all)}`}
          checked={isForAll}
          onChange={(event) => onForAll(event.currentTarget.checked)}
        />
      )}
      <div className={styles.answers}>
        <Button size="xs" onClick={() => answer('keepBoth')}>
          Keep both
        </Button>
        {conflict.existing?.type !== 'folder' && (
          <Button size="xs" variant="default" onClick={() => answer('replace')}>
            Replace
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={() => answer('skip')}>
          Skip
        </Button>
      </div>
    </div>
  )
}
