import { Button } from '@mantine/core'
import { sentenceOf } from '../../../api/api.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from './UnsavedBar.module.css'
import type { usePlanEdits } from './use-plan-edits.ts'

interface UnsavedBarProps {
  readonly edits: ReturnType<typeof usePlanEdits>
}

/** Saves or discards the changes, and says why they couldn't be saved. */
export function UnsavedBar({ edits }: UnsavedBarProps) {
  const { isDirty, isBusy, isOutdated, error } = edits
  const problem = error && (sentenceOf(error) ?? 'Couldn’t save the plans. Try again.')
  const notice = isOutdated ? (
    <Notice
      tone="warning"
      text="Someone else has changed the plans meanwhile. Load them to see what they are now; your changes are lost then."
      action={
        <BusyButton variant="default" size="xs" loading={edits.isLoadingNewer} onClick={edits.loadNewer}>
          Load the newer plans
        </BusyButton>
      }
    />
  ) : (
    problem && <Notice tone="error" text={problem} />
  )
  if (!isDirty) return notice
  return (
    <section className={styles.bar} aria-label="Unsaved changes">
      {notice}
      <div className={styles.line}>
        <p className={styles.text}>Unsaved changes</p>
        <Button variant="subtle" onClick={edits.discard} disabled={isBusy}>
          Discard
        </Button>
        <BusyButton loading={isBusy} disabled={isOutdated} onClick={edits.save}>
          Save
        </BusyButton>
      </div>
    </section>
  )
}
