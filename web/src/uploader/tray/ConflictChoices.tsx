import { Button, Checkbox } from '@mantine/core'
import { formatCount } from '../../lib/format.ts'
import type { ConflictChoice } from '../engine/upload-batches.ts'
import type { ConflictView } from '../engine/upload-view.ts'
import { uploads } from '../engine/uploads.ts'
import styles from './ConflictChoices.module.css'
import { sidesOf } from './upload-texts.ts'

interface ConflictChoicesProps {
  readonly id: string
  readonly conflict: ConflictView
  /** How many names are taken, in all uploads. */
  readonly all: number
  readonly isForAll: boolean
  readonly onForAll: (isForAll: boolean) => void
}

/** Both sides of a name that is taken, and what can be done about it: for this one, or for all. */
export function ConflictChoices({ id, conflict, all, isForAll, onForAll }: ConflictChoicesProps) {
  const response = (given: ConflictChoice) => uploads.resolve(id, given, isForAll && all > 1)
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
      <div className={styles.responses}>
        <Button size="xs" onClick={() => response('keepBoth')}>
          Keep both
        </Button>
        {conflict.existing?.type !== 'folder' && (
          <Button size="xs" variant="default" onClick={() => response('replace')}>
            Replace
          </Button>
        )}
        <Button size="xs" variant="subtle" onClick={() => response('skip')}>
          Skip
        </Button>
      </div>
    </div>
  )
}
