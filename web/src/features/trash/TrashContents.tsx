import { Transition, VisuallyHidden } from '@mantine/core'
import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { IconArrowBackUp, IconClock, IconTrash, IconX } from '@tabler/icons-react'
import { useMemo, useRef } from 'react'
import bar from '../../items/SelectionBar.module.css'
import { formatCount, plural } from '../../lib/format.ts'
import { trashRetention } from '../../lib/site.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { isKeyTaken } from '../../ui/dialogs/open-layers.ts'
import { LoadError } from '../../ui/LoadError.tsx'
import styles from './TrashContents.module.css'
import { TrashList } from './TrashList.tsx'
import { type Trash, useTrash } from './trash-contents.ts'
import { askToDelete, useEmptyTrash, useTrashChanges } from './use-trash-changes.ts'
import { useTrashSelection } from './use-trash-selection.ts'

/** The contents of the trash. */
export function TrashContents() {
  const { data, isPending, isError, isFetching, refetch } = useTrash()
  return (
    <>
      <TrashBanner trash={data} />
      {isPending && (
        <p className={styles.loading} role="status">
          Loading trashed items...
        </p>
      )}
      {isError && !data && (
        <div className={styles.error}>
          <LoadError text="Unable to fetch trashed items." isBusy={isFetching} onRetry={() => void refetch()} />
        </div>
      )}
      {data && <TrashLists trash={data} />}
    </>
  )
}

/** The lists of folders and files, which share one selection. */
function TrashLists({ trash }: { readonly trash: Trash }) {
  const all = useMemo(() => [...trash.folders, ...trash.files], [trash])
  const selection = useTrashSelection(all)
  const changes = useTrashChanges()
  const restoreSelected = () => void changes.restore(selection.items)

  async function deleteSelected() {
    const { items } = selection
    if (items.length > 0 && (await askToDelete(items))) void changes.deletePermanently(items)
  }

  const unlessTaken = (act: () => void) => (event: KeyboardEvent) => !isKeyTaken(event) && act()
  const keys: HotkeyItem[] = [
    ['mod+A', unlessTaken(selection.all)],
    ['Escape', unlessTaken(selection.clear)],
    ['Delete', unlessTaken(() => void deleteSelected())],
  ]
  // Also while a check box has the focus, which the hook would ignore by default.
  useHotkeys(keys, [])

  return (
    <>
      <TrashList
        heading="Trashed Folders"
        emptyText="No trashed folders."
        items={trash.folders}
        selection={selection}
        changes={changes}
      />
      <TrashList
        heading="Trashed Files"
        emptyText="No trashed files."
        items={trash.files}
        selection={selection}
        changes={changes}
      />
      <TrashSelectionBar
        count={selection.items.length}
        onRestore={restoreSelected}
        onDelete={() => void deleteSelected()}
        onClear={selection.clear}
      />
    </>
  )
}

interface TrashBannerProps {
  /** Absent until it has loaded. */
  readonly trash: Trash | undefined
}

/** Says how long items stay in the trash, with the button that empties it. */
function TrashBanner({ trash }: TrashBannerProps) {
  const count = trash ? trash.files.length + trash.folders.length : 0
  const { mutate: empty, isPending } = useEmptyTrash()

  async function askAndEmpty() {
    const isSure = await confirm({
      question: 'Are you sure you want to permanently delete all trashed items?',
      detail: `${plural(count, 'item')}, with everything in them. This can't be undone.`,
      verb: 'Delete All',
    })
    if (isSure && trash) empty(trash)
  }

  return (
    <div className={styles.banner}>
      <IconClock className={styles.icon} size={20} stroke={1.75} aria-hidden />
      <p className={styles.text}>
        <strong>Items stay here for {trashRetention},</strong> then they are deleted permanently. Until then, they count
        towards your storage.
      </p>
      <BusyButton
        variant="outline"
        color="brick"
        className={styles.button}
        leftSection={<IconTrash size={18} stroke={1.75} />}
        disabled={count === 0}
        loading={isPending}
        onClick={() => void askAndEmpty()}
      >
        Delete All
      </BusyButton>
    </div>
  )
}

interface TrashSelectionBarProps {
  readonly count: number
  readonly onRestore: () => void
  readonly onDelete: () => void
  readonly onClear: () => void
}

/** On a phone the bar has four columns, which two commands share. */
const wide = { gridColumn: 'span 2' }

/** The actions for the selection, at the bottom of the screen. */
function TrashSelectionBar({ count, onRestore, onDelete, onClear }: TrashSelectionBarProps) {
  // While the bar slides out, it keeps its last text.
  const last = useRef(count)
  if (count > 0) last.current = count
  return (
    <>
      <VisuallyHidden role="status">{count > 0 && `${plural(count, 'item')} selected`}</VisuallyHidden>
      <Transition mounted={count > 0} transition="slide-up" duration={180} exitDuration={120}>
        {(style) => (
          <div className={bar.place}>
            <div className={bar.bar} style={style} role="toolbar" aria-label="Selected items">
              <p className={bar.count}>
                <strong>{formatCount(last.current)} selected</strong>
              </p>
              <button type="button" className={bar.command} style={wide} onClick={onRestore}>
                <IconArrowBackUp size={18} stroke={1.75} aria-hidden />
                <span>Restore</span>
              </button>
              <button type="button" className={bar.command} style={wide} data-dangerous onClick={onDelete}>
                <IconTrash size={18} stroke={1.75} aria-hidden />
                <span>Delete Permanently</span>
              </button>
              <button type="button" className={bar.clear} aria-label="Clear the selection" onClick={onClear}>
                <IconX size={18} stroke={1.75} aria-hidden />
              </button>
            </div>
          </div>
        )}
      </Transition>
    </>
  )
}
