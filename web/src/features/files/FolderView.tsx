import type { File, Item } from '@alcove/contract/items'
import { VisuallyHidden } from '@mantine/core'
import { type ReactNode, useDeferredValue, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '../../api/api.ts'
import { VAULT_ROOT } from '../../api/vault-root.ts'
import { type DropItems, useItemDrop } from '../../items/drag/use-item-drag.ts'
import { useLeftFolder } from '../../items/grid/arrivals.ts'
import { ItemGrid } from '../../items/grid/ItemGrid.tsx'
import { useScrollPlace } from '../../items/grid/scrolling.ts'
import type { ItemActions } from '../../items/item-actions.ts'
import { ListFrame } from '../../items/ListFrame.tsx'
import { EMPTY_LIST, type ItemList } from '../../items/lists/item-lists.ts'
import { ItemSkeleton } from '../../items/tiles/ItemSkeletons.tsx'
import type { TileParts } from '../../items/tiles/tile-handlers.ts'
import { type SelectionControl, useSelection } from '../../items/use-selection.ts'
import { plural } from '../../lib/format.ts'
import { useDelayed } from '../../lib/use-delayed.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import type { PreviewItem } from '../../preview/preview-item.ts'
import { usePreviewAddress } from '../../preview/use-preview-address.ts'
import { useItemActions } from './changes/use-item-actions.ts'
import { useDropItems, usePaste } from './changes/use-move-items.ts'
import { DetailsPane } from './details/DetailsPane.tsx'
import { FilePreview } from './FilePreview.tsx'
import { EmptyFolder, FolderError } from './FolderStates.tsx'
import { CurrentFolder, FolderToolbar } from './FolderToolbar.tsx'
import { driveHome, type FolderHome } from './folder-address.ts'
import type { FolderPlace } from './folder-contents.ts'
import { useItemsAhead, useRestOfItems } from './load-more-items.ts'
import { useFolderItems } from './queries.ts'
import { useSort, useView } from './ViewOptions.tsx'

interface FolderViewProps {
  /** Where the path starts. */
  readonly home?: FolderHome
  readonly folderId: string | undefined
  /** The item for the folder in the list above it, if that has another id. */
  readonly itemId?: string | undefined
  /** The name and path, which are known before the folder has loaded. */
  readonly place: Pick<FolderPlace, 'name' | 'path'>
  /** The item that gets the focus, or `FIRST_ITEM`. */
  readonly arrivalId?: string
  readonly onOpenFolder: (folderId: string) => void
  readonly onBack: () => void
  /** Absent where nothing can be added. */
  readonly onDropFiles: ((folderId: string, items: DataTransferItem[]) => void) | undefined
  /** Absent where items can't be favorites. */
  readonly onToggleFavorite?: (items: readonly Item[], isFavorite: boolean) => void
  /** Absent, like sharing with people, in folders of others. */
  readonly onShare?: (item: Item) => void
  /** Shows the people who have access to a folder. Absent in the vault too. */
  readonly onShareWithPeople?: (folder: { readonly id: string; readonly name: string }) => void
  /** Asks others for files, which go into a folder. Absent in the vault. */
  readonly onRequestFiles?: (folder: { id: string; type: 'folder'; isEncrypted: false }) => void
  /** Shows what happened in a folder. Absent in the vault. */
  readonly onActivity?: (folderId: string | undefined) => void
  /** Shows the earlier versions of a file. */
  readonly onHistory: (file: File) => void
  /** Actions that replace those of the drive. */
  readonly otherActions?: Partial<ItemActions>
  readonly toPreviewItem?: (file: File) => PreviewItem
  readonly tileParts?: TileParts
}

/** Skeletons show only if loading takes long enough to be noticed, in milliseconds. */
const SKELETON_DELAY = 150

/** A folder: its toolbar and its contents. */
export function FolderView({
  home = driveHome,
  folderId,
  itemId,
  place,
  arrivalId,
  onOpenFolder,
  onBack,
  onDropFiles,
  onToggleFavorite,
  onShare,
  onShareWithPeople,
  onRequestFiles,
  onActivity,
  onHistory,
  otherActions,
  toPreviewItem,
  tileParts,
}: FolderViewProps) {
  const shownId = folderId ?? home.rootId
  const [sort, setSort] = useSort()
  const [view, setView] = useView()
  // The switch responds at once, and the items follow.
  const shownView = useDeferredValue(view)
  const {
    data: cached,
    error,
    isPending,
    isError,
    isFetching,
    isPlaceholderData,
    refetch,
  } = useFolderItems(shownId, sort)
  // What was shared with the user must not stay in view after they were removed.
  const data = error instanceof ApiError && error.status === 404 ? undefined : cached
  const isPhone = useIsPhone()
  const [isWanted, setWanted] = useState(false)
  const loading = isPlaceholderData ? undefined : data
  const { isMissing, onMiss } = useItemsAhead(shownId, sort, loading)
  useRestOfItems(shownId, sort, isMissing ? undefined : loading, isWanted)
  const { key, pathname } = useLocation()
  const leftId = useLeftFolder(folderId, itemId)
  useScrollPlace(`${pathname} ${folderId ?? ''} ${shownView}`, data !== undefined)
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const preview = usePreviewAddress()
  const ownActions = useItemActions({
    openFolder: onOpenFolder,
    preview: ({ id }) => preview.open(id),
    toggleFavorite: onToggleFavorite,
    share: onShare,
    shareWithPeople: onShareWithPeople,
    requestFiles: onRequestFiles && (({ id }) => onRequestFiles(driveFolder(id))),
    activity: onActivity && (({ id }) => onActivity(id)),
    history: onHistory,
    isOthers: !home.isRoot,
  })
  const actions = otherActions ? { ...ownActions, ...otherActions } : ownActions
  const dropItems = useDropItems()
  const moveInto = actions.move && dropItems
  const list = data ?? EMPTY_LIST
  const count = list.total
  const selection = useSelection(list, shownId ?? '', { id: shownId })

  return (
    <>
      <FolderToolbar
        {...place}
        home={home}
        folderId={folderId}
        itemId={itemId}
        sort={sort}
        onSort={setSort}
        view={view}
        onView={setView}
        onBack={onBack}
        onMoveInto={moveInto}
        onShareWithPeople={
          onShareWithPeople && folderId !== undefined
            ? () => onShareWithPeople({ id: folderId, name: place.name })
            : undefined
        }
        onRequestFiles={
          onRequestFiles && folderId !== undefined ? () => onRequestFiles(driveFolder(folderId)) : undefined
        }
        onActivity={onActivity && (() => onActivity(folderId))}
      />
      <VisuallyHidden role="status">{data && `${place.name}: ${plural(count, 'item')}`}</VisuallyHidden>
      <FolderBody
        folderId={shownId}
        name={place.name}
        canPaste={home.canAdd}
        onMoveInto={moveInto}
        list={list}
        selection={selection}
        actions={actions}
      >
        {showsSkeleton && <ItemSkeleton view={shownView} />}
        {isError && !data && (
          <FolderError home={home} isHome={folderId === undefined} isBusy={isFetching} onRetry={() => void refetch()} />
        )}
        {data && count === 0 && (
          <EmptyFolder hasHint={home.canAdd} isVault={home.rootId === VAULT_ROOT} isArrival={arrivalId !== undefined} />
        )}
        {data && count > 0 && (
          <ItemGrid
            key={folderId}
            label={`Files and folders in ${place.name}`}
            list={list}
            view={shownView}
            sort={sort}
            onSort={setSort}
            selection={selection}
            actions={actions}
            arrivalId={arrivalId}
            arrivalKey={key}
            leftId={leftId}
            previewId={preview.previewId}
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

function driveFolder(id: string) {
  return { id, type: 'folder', isEncrypted: false } as const
}

interface FolderBodyProps {
  readonly folderId: string | undefined
  readonly name: string
  readonly canPaste: boolean
  readonly onMoveInto: DropItems | undefined
  readonly list: ItemList
  readonly selection: SelectionControl
  readonly actions: ItemActions
  readonly children: ReactNode
}

/** Lets items be dropped on and pasted into a folder, and shows the details beside its contents. */
function FolderBody({ folderId, name, canPaste, onMoveInto, children, ...list }: FolderBodyProps) {
  const body = useRef<HTMLDivElement>(null)
  const paste = usePaste(folderId)
  const isTarget = useItemDrop(body, folderId, onMoveInto, { name })
  return (
    <ListFrame
      {...list}
      ref={body}
      isTarget={isTarget !== false}
      onPaste={canPaste ? paste : undefined}
      details={(selected) => <DetailsPane selected={selected} folderId={folderId} onHistory={list.actions.history} />}
    >
      {children}
    </ListFrame>
  )
}
