import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { useMemo } from 'react'
import { LoadError } from '../../ui/LoadError.tsx'
import { askToDelete } from './ask-to-delete.ts'
import { type Trash, useTrash } from './queries.ts'
import { TrashBanner } from './TrashBanner.tsx'
import styles from './TrashContents.module.css'
import { TrashList } from './TrashList.tsx'
import { TrashSelectionBar } from './TrashSelectionBar.tsx'
import { useTrashChanges } from './use-trash-changes.ts'
import { useTrashSelection } from './use-trash-selection.ts'

/** All that is in the trash. */
export function TrashContents() {
  const { data, isPending, isError, isFetching, refetch } = useTrash()
  return (
    <>
      <TrashBanner count={data ? data.files.length + data.folders.length : 0} />
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

/** Both lists, in which items are selected together. */
function TrashLists({ trash }: { readonly trash: Trash }) {
  const all = useMemo(() => [...trash.folders, ...trash.files], [trash])
  const selection = useTrashSelection(all)
  const changes = useTrashChanges()
  const restoreSelected = () => void changes.restore(selection.items)

  async function deleteSelected() {
    const { items } = selection
    if (items.length > 0 && (await askToDelete(items))) void changes.deleteForGood(items)
  }

  // Below a dialog the keys are the dialog's.
  const unlessAsked = (act: () => void) => () => !document.querySelector('[aria-modal]') && act()
  const keys: HotkeyItem[] = [
    ['mod+A', unlessAsked(selection.all)],
    ['Escape', unlessAsked(selection.clear)],
    ['Delete', unlessAsked(() => void deleteSelected())],
  ]
  // In the check boxes too: there is no field to type into.
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
