import type { Item } from '@alcove/contract/items'
import { VisuallyHidden } from '@mantine/core'
import { useMemo } from 'react'
import { FIRST_ITEM } from '../../lib/arrival.ts'
import { plural } from '../../lib/format.ts'
import { sortFiles, sortFolders } from '../../lib/item-order.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { ItemGrid } from '../../ui/items/ItemGrid.tsx'
import { ItemSkeleton } from '../../ui/items/ItemSkeleton.tsx'
import { EmptyFolder, FolderError } from './FolderStates.tsx'
import { FolderToolbar } from './FolderToolbar.tsx'
import { driveHome, type FolderHome } from './folder-address.ts'
import type { FolderContents } from './folder-contents.ts'
import { useFolder } from './queries.ts'
import { useItemActions } from './use-item-actions.ts'
import { useMoveItem } from './use-item-changes.ts'
import { useSort } from './use-sort.ts'

interface FolderViewProps {
  /** What the path starts from. */
  readonly home?: FolderHome
  readonly folderId: string | undefined
  /** What is known of the folder even before it has loaded. */
  readonly place: Pick<FolderContents, 'name' | 'path'>
  /** The item that the keyboard starts at, or `FIRST_ITEM`. */
  readonly arrivalId?: string
  readonly onOpenFolder: (folderId: string) => void
  readonly onBack: () => void
  readonly onDropFiles: (folderId: string, items: DataTransferItem[]) => void
  readonly onToggleFavorite: (item: Item) => void
}

/** Skeletons come only when loading takes long enough to be noticed. */
const SKELETON_DELAY = 150

/** A folder of the drive: where it is, what can be done in it, and what is in it. */
export function FolderView({
  home = driveHome,
  folderId,
  place,
  arrivalId,
  onOpenFolder,
  onBack,
  onDropFiles,
  onToggleFavorite,
}: FolderViewProps) {
  const { data, isPending, isError, isFetching, refetch } = useFolder(folderId)
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const [sort, setSort] = useSort()
  const actions = useItemActions({ openFolder: onOpenFolder, toggleFavorite: onToggleFavorite })
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
        home={home}
        folderId={folderId}
        sort={sort}
        onSort={setSort}
        onBack={onBack}
        onMoveInto={moveInto}
      />
      <VisuallyHidden role="status">{data && `${place.name}: ${plural(count, 'item')}`}</VisuallyHidden>
      {showsSkeleton && <ItemSkeleton />}
      {isError && !data && (
        <FolderError
          home={folderId === undefined ? undefined : home}
          isBusy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data && count === 0 && <EmptyFolder hasHint={home.isRoot} isArrival={arrivalId !== undefined} />}
      {data && count > 0 && (
        <ItemGrid
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
