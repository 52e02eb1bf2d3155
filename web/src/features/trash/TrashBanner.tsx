import { Button } from '@mantine/core'
import { IconClock, IconTrash } from '@tabler/icons-react'
import { plural } from '../../lib/format.ts'
import { trashRetention } from '../../lib/site.ts'
import { confirm } from '../../ui/dialogs/confirm.ts'
import styles from './TrashBanner.module.css'
import { useEmptyTrash } from './use-trash-changes.ts'

interface TrashBannerProps {
  /** How many items are in the trash, as far as that is known. */
  readonly count: number
}

/** How long the trash keeps things, and the button that empties it. */
export function TrashBanner({ count }: TrashBannerProps) {
  const { mutate: empty, isPending } = useEmptyTrash()

  async function askAndEmpty() {
    const isSure = await confirm({
      question: 'Are you sure you want to permanently delete all trashed items?',
      detail: `${plural(count, 'item')}, with all that is in them. This cannot be undone.`,
      verb: 'Delete All',
    })
    if (isSure) empty()
  }

  return (
    <div className={styles.banner}>
      <IconClock className={styles.icon} size={20} stroke={1.75} aria-hidden />
      <p className={styles.text}>
        <strong>Items stay here for {trashRetention},</strong> then they are deleted for good. Until then they count
        towards your storage.
      </p>
      <Button
        variant="outline"
        color="brick"
        className={styles.button}
        leftSection={<IconTrash size={18} stroke={1.75} />}
        disabled={count === 0}
        loading={isPending}
        onClick={() => void askAndEmpty()}
      >
        Delete All
      </Button>
    </div>
  )
}
