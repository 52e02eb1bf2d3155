import { useHotkeys } from '@mantine/hooks'
import { useNavigate, useSearchParams } from 'react-router'
import { activityAddress } from '../features/activity/activity-address.ts'
import { FavoritesView } from '../features/favorites/FavoritesView.tsx'
import { favoritesAddress, pathFromFavorite, useFavorites, useSortedFavorites } from '../features/favorites/queries.ts'
import { useToggleFavorite } from '../features/favorites/use-toggle-favorite.tsx'
import {
  DetailsPane,
  driveHome,
  FilePreview,
  FolderView,
  folderAddress,
  SortMenu,
  StorageCard,
  StorageStrip,
  useDropItems,
  useFolderPlace,
  useItemActions,
  useSort,
  useView,
  ViewSwitch,
} from '../features/files/index.ts'
import { openMembers } from '../features/sharing/members/open-members.ts'
import { openPublicLink, openRequestFiles } from '../features/sharing/open-public-link.ts'
import { openVersionHistory } from '../features/versions/open-version-history.ts'
import { type Arrival, FIRST_ITEM, useArrival, useLeftFolder } from '../items/grid/arrivals.ts'
import { useIsPhone } from '../lib/use-media.ts'
import { usePreviewAddress } from '../preview/use-preview-address.ts'
import { isKeyTaken } from '../ui/dialogs/open-layers.ts'
import { PageHeading, PhoneStrip } from '../ui/PageHeader.tsx'
import { notifyError } from '../ui/toasts/notify.tsx'
import { DropCurtain } from '../uploader/file-input/DropCurtain.tsx'
import { uploadDropped } from '../uploader/file-input/upload-chosen.ts'

const home = { ...driveHome, name: 'Favorites', addressOf: favoritesAddress, isRoot: false, canAdd: false }

/** The favorites, or a folder opened from there: `/favorites?folder=<id>`. */
export function FavoritesPage() {
  const [parameters] = useSearchParams()
  const folderId = parameters.get('folder') || undefined
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const leftId = useLeftFolder(folderId)

  function open(id: string | undefined, state: Arrival) {
    void navigate(favoritesAddress(id), { state })
  }

  const showActivity = (id: string | undefined) => void navigate(activityAddress(id))

  return (
    <>
      <PageHeading>Favorites</PageHeading>
      {isPhone ? (
        <PhoneStrip>
          <StorageStrip />
        </PhoneStrip>
      ) : (
        <StorageCard look="line" />
      )}
      {folderId === undefined ? (
        <AllFavorites leftId={leftId} onOpen={open} onActivity={showActivity} />
      ) : (
        <FavoriteFolder folderId={folderId} onOpen={open} onActivity={showActivity} />
      )}
    </>
  )
}

type Open = (folderId: string | undefined, arrival: Arrival) => void

interface Addresses {
  readonly onOpen: Open
  readonly onActivity: (folderId: string | undefined) => void
}

function AllFavorites({ leftId, onOpen, onActivity }: Addresses & { readonly leftId: string | undefined }) {
  const { data: favorites } = useFavorites()
  const preview = usePreviewAddress()
  const toggleFavorite = useToggleFavorite()
  const navigate = useNavigate()
  const actions = useItemActions({
    openFolder(id) {
      // What a member may do in a shared folder, the file manager knows.
      const isShared = favorites?.items.some((item) => item?.id === id && item.sharedBy)
      if (isShared) void navigate(folderAddress(id), { state: { arrivalId: FIRST_ITEM } satisfies Arrival })
      else onOpen(id, { arrivalId: FIRST_ITEM })
    },
    preview: ({ id }) => preview.open(id),
    toggleFavorite,
    share: (item) =>
      item.sharedBy ? notifyError('Only the owner of this item can create links.') : openPublicLink(item),
    shareWithPeople: openMembers,
    requestFiles: openRequestFiles,
    activity: ({ id }) => onActivity(id),
    history: openVersionHistory,
  })
  const arrival = useArrival()
  const dropItems = useDropItems()
  const [sort, setSort] = useSort()
  const [view, setView] = useView()
  const shown = useSortedFavorites(sort)
  return (
    <>
      <FavoritesView
        actions={actions}
        view={view}
        sort={sort}
        onSort={setSort}
        tools={
          <>
            {view === 'grid' && <SortMenu sort={sort} onChange={setSort} />}
            <ViewSwitch view={view} onChange={setView} />
          </>
        }
        details={(selected) => <DetailsPane selected={selected} folderId={undefined} onHistory={openVersionHistory} />}
        arrivalId={arrival?.arrivalId}
        leftId={leftId}
        previewId={preview.previewId}
        onMoveInto={dropItems}
        onDropFiles={(id, items) => void uploadDropped(items, { parentFolderId: id })}
      />
      <FilePreview list={shown} actions={actions} />
    </>
  )
}

function FavoriteFolder({ folderId, onOpen, onActivity }: Addresses & { readonly folderId: string }) {
  const place = useFolderPlace(folderId)
  const { data: favorites } = useFavorites()
  const path = pathFromFavorite(place.path, favorites?.items ?? [])
  const toggleFavorite = useToggleFavorite()
  const arrival = useArrival()
  const goUp = () => onOpen(path.at(-1)?.id, { arrivalId: folderId })

  useHotkeys([['alt+ArrowUp', (event) => !isKeyTaken(event) && goUp()]])

  return (
    <>
      <FolderView
        home={home}
        folderId={folderId}
        place={{ name: place.name, path }}
        arrivalId={arrival?.arrivalId}
        onOpenFolder={(id) => onOpen(id, { arrivalId: FIRST_ITEM })}
        onBack={goUp}
        onDropFiles={(id, items) => void uploadDropped(items, { parentFolderId: id })}
        onToggleFavorite={toggleFavorite}
        onShare={openPublicLink}
        onShareWithPeople={openMembers}
        onRequestFiles={openRequestFiles}
        onActivity={onActivity}
        onHistory={openVersionHistory}
      />
      <DropCurtain target={{ parentFolderId: folderId, folderName: place.name }} />
    </>
  )
}
