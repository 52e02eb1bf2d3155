import type { ErrorBody } from '@alcove/contract/errors'
import { Button, Group } from '@mantine/core'
import { modals } from '@mantine/modals'
import { plural } from '../../../lib/format.ts'
import { openDialog } from '../../../ui/dialogs/open-dialog.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import type { ToastAction } from '../../../ui/toasts/notify.tsx'
import type { Chosen } from './chosen-items.ts'
import styles from './FailedItemsModal.module.css'

type FailedItem = NonNullable<ErrorBody['failed']>[number]

export interface FailedItems {
  /** Says what failed. */
  readonly title: string
  readonly chosen: Chosen
  readonly failed: readonly FailedItem[]
  /** Absent if changing names wouldn't help. */
  readonly onKeepBoth?: () => void
  /** Unlocks the items and tries again. Absent unless locks prevented the change. */
  readonly unlockFirst?: ToastAction
  /** Repeats the change, perhaps with fewer items. */
  readonly retry: (chosen: Chosen) => void
}

/** Shows which items prevented a change, and why. Nothing has been changed. */
export function openFailedItemsModal({ title, chosen, failed, onKeepBoth, unlockFirst, retry }: FailedItems): void {
  const ids = new Set(failed.map(({ itemId }) => itemId))
  const others = chosen.everything ? [] : chosen.items.filter(({ id }) => !ids.has(id))
  const nameOf = (itemId: string) => chosen.items.find(({ id }) => id === itemId)?.name
  const modalId = openDialog({
    title,
    size: 480,
    children: (
      <>
        <p className={styles.intro}>Nothing was changed because of {plural(failed.length, 'item')}:</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by the keyboard */}
        <ul className={styles.list} tabIndex={0} aria-label="Items that prevent the change">
          {failed.map(({ itemId, name = nameOf(itemId), error }) => (
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
          {others.length > 0 && (
            <Button
              variant={onKeepBoth || unlockFirst ? 'default' : 'filled'}
              onClick={closeAnd(() => retry({ items: others }))}
            >
              {others.length === 1 ? 'Only the other one' : `Only the other ${others.length}`}
            </Button>
          )}
          {onKeepBoth && <Button onClick={closeAnd(onKeepBoth)}>Keep both</Button>}
          {unlockFirst && <Button onClick={closeAnd(unlockFirst.run)}>{unlockFirst.label}</Button>}
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
