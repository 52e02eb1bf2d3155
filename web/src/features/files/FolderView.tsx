import type { Item } from '@alcove/contract/items'
import { VisuallyHidden } from '@mantine/core'
import { useMemo } from 'react'
import { plural } from '../../lib/format.ts'
import { sortFiles, sortFolders } from '../../lib/item-order.ts'
import { FolderGrid } from './FolderGrid.tsx'
import { EmptyFolder, FolderError, FolderSkeleton } from './FolderStates.tsx'
import { FolderToolbar } from './FolderToolbar.tsx'
import { FIRST_ITEM } from './folder-address.ts'
import type { FolderContents } from './folder-contents.ts'
import { useItemActions } from './item-actions.ts'
import { useFolder } from './queries.ts'
import { useDelayed } from './use-delayed.ts'
import { useMoveItem } from './use-item-changes.ts'
import { useSort } from './use-sort.ts'

interface FolderViewProps {
  readonly folderId: string | undefined
  /** What is known of the folder even before it has loaded. */
  readonly place: Pick<FolderContents, 'name' | 'path'>
  /** The item that the keyboard starts at, or `FIRST_ITEM`. */
  readonly arrivalId?: string
  readonly onOpenFolder: (folderId: string) => void
  readonly onBack: () => void
  readonly onDropFiles: (folderId: string, items: DataTransferItem[]) => void
}

/** Skeletons come only when loading takes long enough to be noticed. */
const SKELETON_DELAY = 150

/** A folder of the drive: where it is, what can be done in it, and what is in it. */
export function FolderView({ folderId, place, arrivalId, onOpenFolder, onBack, onDropFiles }: FolderViewProps) {
  const { data, isPending, isError, isFetching, refetch } = useFolder(folderId)
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const [sort, setSort] = useSort()
  const actions = useItemActions(onOpenFolder)
  const { mutate: move } = useMoveItem()
  const folders = useMemo(() => sortFolders(data?.folders ?? [], sort), [data?.folders, sort])
  const files = useMemo(() => sortFiles(data?.files ?? [], sort), [data?.files, sort])
  const count = folders.length + files.length
  const firstId = (folders[0] ?? files[0])?.id

  function moveInto(item: Item, targetFolderId: string | undefined) {
    move({ item, targetFolderId })
  }

  return (
    <>
      <FolderToolbar
        {...place}
        folderId={folderId}
        sort={sort}
        onSort={setSort}
        onBack={onBack}
        onMoveInto={moveInto}
      />
      <VisuallyHidden role="status">{data && `${place.name}: ${plural(count, 'item')}`}</VisuallyHidden>
      {showsSkeleton && <FolderSkeleton />}
      {isError && !data && (
        <FolderError isRoot={folderId === undefined} isBusy={isFetching} onRetry={() => void refetch()} />
      )}
      {data && count === 0 && <EmptyFolder isArrival={arrivalId !== undefined} />}
      {data && count > 0 && (
        <FolderGrid
          key={folderId}
          label={`Files and folders in ${place.name}`}
          folders={folders}
          files={files}
          actions={actions}
          arrivalId={arrivalId === FIRST_ITEM ? firstId : arrivalId}
          onMoveInto={moveInto}
          onDropFiles={onDropFiles}
        />
      )}
    </>
  )
}
