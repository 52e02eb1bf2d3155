import type { Item } from '@alcove/contract/items'
import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { plural } from '../../lib/format.ts'
import { EMPTY_LIST } from '../../lib/item-lists.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { useScrollPlace } from '../../lib/use-scroll-place.ts'
import { ItemGrid } from '../../ui/items/ItemGrid.tsx'
import { ItemSkeleton } from '../../ui/items/ItemSkeleton.tsx'
import { useSelection } from '../../ui/items/use-selection.ts'
import { usePreviewAddress } from '../../ui/preview/use-preview-address.ts'
import { FilePreview } from './FilePreview.tsx'
import { FolderBody } from './FolderBody.tsx'
import { EmptyFolder, FolderError } from './FolderStates.tsx'
import { FolderToolbar } from './FolderToolbar.tsx'
import { driveHome, type FolderHome } from './folder-address.ts'
import type { FolderPlace } from './folder-contents.ts'
import { useFolderItems } from './queries.ts'
import { useItemActions } from './use-item-actions.ts'
import { useDropItems } from './use-item-changes.ts'
import { useRestOfItems } from './use-rest-of-items.ts'
import { useSort, useView } from './use-sort.ts'

interface FolderViewProps {
  /** What the path starts from. */
  readonly home?: FolderHome
  readonly folderId: string | undefined
  /** What is known of the folder even before it has loaded. */
  readonly place: Pick<FolderPlace, 'name' | 'path'>
  /** The item that the keyboard starts at, or `FIRST_ITEM`. */
  readonly arrivalId?: string
  readonly onOpenFolder: (folderId: string) => void
  readonly onBack: () => void
  readonly onDropFiles: (folderId: string, items: DataTransferItem[]) => void
  readonly onToggleFavorite: (items: readonly Item[], isFavorite: boolean) => void
  readonly onShare: (item: Item) => void
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
  onShare,
}: FolderViewProps) {
  const [sort, setSort] = useSort()
  const [view, setView] = useView()
  const { data, isPending, isError, isFetching, isPlaceholderData, refetch } = useFolderItems(folderId, sort)
  const [isWanted, setWanted] = useState(false)
  useRestOfItems(folderId, sort, isPlaceholderData ? undefined : data, isWanted)
  const { key, pathname } = useLocation()
  useScrollPlace(`${pathname} ${folderId ?? ''} ${view}`, data !== undefined)
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const preview = usePreviewAddress()
  const actions = useItemActions({
    openFolder: onOpenFolder,
    preview: ({ id }) => preview.open(id),
    toggleFavorite: onToggleFavorite,
    share: onShare,
  })
  const moveInto = useDropItems()
  const list = data ?? EMPTY_LIST
  const count = list.total
  const selection = useSelection(list, folderId ?? '', { id: folderId })

  return (
    <>
      <FolderToolbar
        {...place}
        home={home}
        folderId={folderId}
        sort={sort}
        onSort={setSort}
        view={view}
        onView={setView}
        onBack={onBack}
        onMoveInto={moveInto}
      />
      <VisuallyHidden role="status">{data && `${place.name}: ${plural(count, 'item')}`}</VisuallyHidden>
      <FolderBody folderId={folderId} name={place.name} list={list} selection={selection} actions={actions}>
        {showsSkeleton && <ItemSkeleton view={view} />}
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
            list={list}
            view={view}
            sort={sort}
            onSort={setSort}
            selection={selection}
            actions={actions}
            arrivalId={arrivalId}
            arrivalKey={key}
            onUp={folderId === undefined ? undefined : onBack}
            onWant={setWanted}
            onMoveInto={moveInto}
            onDropFiles={onDropFiles}
          />
        )}
      </FolderBody>
      <FilePreview list={data} actions={actions} />
    </>
  )
}
