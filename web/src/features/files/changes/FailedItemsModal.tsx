import type { ErrorBody } from '@alcove/contract/errors'
import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { plural } from '../../../lib/format.ts'
import { ItemName } from '../../../ui/ItemName.tsx'
import styles from './FailedItemsModal.module.css'

type FailedItem = NonNullable<ErrorBody['failed']>[number]

export interface FailedItems {
  /** Says what failed. */
  readonly title: string
  readonly failed: readonly FailedItem[]
  /** Absent if changing names wouldn't help. */
  readonly onKeepBoth?: () => void
  /** Unlocks the items and tries again. Absent unless locks prevented the change. */
  readonly onUnlock?: () => void
  /** How many items could be changed. */
  readonly others: number
  readonly onOthers: () => void
}

/** Shows which items prevented a change, and why. Nothing has been changed. */
export function openFailedItemsModal({ title, failed, onKeepBoth, onUnlock, others, onOthers }: FailedItems): void {
  const modalId = modals.open({
    title,
    size: 480,
    children: (
      <>
        <p className={styles.intro}>Nothing was changed because of {plural(failed.length, 'item')}:</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by the keyboard */}
        <ul className={styles.list} tabIndex={0} aria-label="Items that prevent the change">
          {failed.map(({ itemId, name, error }) => (
            <li key={itemId} className={styles.item}>
              {name && <ItemName name={name} className={styles.name} />}
              <span className={styles.reason}>{error}</span>
            </li>
          ))}
        </ul>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="subtle" data-autofocus onClick={() => modals.close(modalId)}>
            Cancel
          </Button>
          {others > 0 && (
            <Button variant={onKeepBoth || onUnlock ? 'default' : 'filled'} onClick={closeAnd(onOthers)}>
              {others === 1 ? 'Only the other one' : `Only the other ${others}`}
            </Button>
          )}
          {onKeepBoth && <Button onClick={closeAnd(onKeepBoth)}>Keep both</Button>}
          {onUnlock && <Button onClick={closeAnd(onUnlock)}>Unlock</Button>}
        </Group>
      </>
    ),
  })
  let isClosed = false

  function closeAnd(run: () => void) {
    return () => {
      if (isClosed) return // a double click
      isClosed = true
      modals.close(modalId)
      run()
    }
  }
}
