import type { File, Item } from '@alcove/contract/items'
import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { VAULT_ROOT } from '../../api/vault-root.ts'
import { ItemGrid } from '../../items/grid/ItemGrid.tsx'
import { useScrollPlace } from '../../items/grid/use-scroll-place.ts'
import type { ItemActions } from '../../items/item-actions.ts'
import { EMPTY_LIST } from '../../items/lists/item-lists.ts'
import { ItemSkeleton } from '../../items/tiles/ItemSkeleton.tsx'
import type { TileParts } from '../../items/tiles/tile-parts.ts'
import { useSelection } from '../../items/use-selection.ts'
import { plural } from '../../lib/format.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { useIsPhone } from '../../lib/use-is-phone.ts'
import type { PreviewItem } from '../../preview/preview-item.ts'
import { usePreviewAddress } from '../../preview/use-preview-address.ts'
import { useDropItems } from './changes/use-drop-items.ts'
import { useItemActions } from './changes/use-item-actions.ts'
import { FilePreview } from './FilePreview.tsx'
import { FolderBody } from './FolderBody.tsx'
import { EmptyFolder, FolderError } from './FolderStates.tsx'
import { CurrentFolder, FolderToolbar } from './FolderToolbar.tsx'
import { driveHome, type FolderHome } from './folder-address.ts'
import type { FolderPlace } from './folder-contents.ts'
import { useFolderItems } from './queries.ts'
import { useItemsAhead } from './use-items-ahead.ts'
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
  /** Absent where items have no heart. */
  readonly onToggleFavorite?: (items: readonly Item[], isFavorite: boolean) => void
  readonly onShare: (item: Item) => void
  /** What is done otherwise than in the drive. */
  readonly otherActions?: Partial<ItemActions>
  readonly toPreviewItem?: (file: File) => PreviewItem
  readonly tileParts?: TileParts
}

/** Skeletons come only when loading takes long enough to be noticed. */
const SKELETON_DELAY = 150

/** A folder: where it is, what can be done in it, and what is in it. */
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
  otherActions,
  toPreviewItem,
  tileParts,
}: FolderViewProps) {
  const shownId = folderId ?? home.rootId
  const [sort, setSort] = useSort()
  const [view, setView] = useView()
  const { data, isPending, isError, isFetching, isPlaceholderData, refetch } = useFolderItems(shownId, sort)
  const isPhone = useIsPhone()
  const [isWanted, setWanted] = useState(false)
  const loading = isPlaceholderData ? undefined : data
  const { isMissing, onMiss } = useItemsAhead(shownId, sort, loading)
  useRestOfItems(shownId, sort, isMissing ? undefined : loading, isWanted)
  const { key, pathname } = useLocation()
  useScrollPlace(`${pathname} ${folderId ?? ''} ${view}`, data !== undefined)
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const preview = usePreviewAddress()
  const ownActions = useItemActions({
    openFolder: onOpenFolder,
    preview: ({ id }) => preview.open(id),
    toggleFavorite: onToggleFavorite,
    share: onShare,
  })
  const actions = otherActions ? { ...ownActions, ...otherActions } : ownActions
  const moveInto = useDropItems()
  const list = data ?? EMPTY_LIST
  const count = list.total
  const selection = useSelection(list, shownId ?? '', { id: shownId })

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
      <FolderBody folderId={shownId} name={place.name} list={list} selection={selection} actions={actions}>
        {showsSkeleton && <ItemSkeleton view={view} />}
        {isError && !data && (
          <FolderError home={home} isHome={folderId === undefined} isBusy={isFetching} onRetry={() => void refetch()} />
        )}
        {data && count === 0 && (
          <EmptyFolder hasHint={home.isRoot} isVault={home.rootId === VAULT_ROOT} isArrival={arrivalId !== undefined} />
        )}
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
            onMiss={onMiss}
            onMoveInto={moveInto}
            onDropFiles={onDropFiles}
            parts={tileParts}
          />
        )}
      </FolderBody>
      {isPhone && <CurrentFolder folderId={folderId} />}
      <FilePreview list={data} actions={actions} toItem={toPreviewItem} />
    </>
  )
}
