import { type Role, suffices } from '@alcove/contract/roles'
import type { SearchResult } from '@alcove/contract/search'
import { Button, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconInbox } from '@tabler/icons-react'
import { useNavigate, useSearchParams } from 'react-router'
import { activityAddress } from '../features/activity/activity-address.ts'
import { useToggleFavorite } from '../features/favorites/use-toggle-favorite.tsx'
import {
  CreateFolderButton,
  driveHome,
  FolderView,
  folderAddress,
  PhoneSearch,
  SearchBox,
  StorageCard,
  StorageStrip,
  sharedHome,
  useFolderPlace,
} from '../features/files/index.ts'
import { openMembers } from '../features/sharing/members/open-members.ts'
import { openPublicLink, openRequestFiles } from '../features/sharing/open-public-link.ts'
import { openVersionHistory } from '../features/versions/open-version-history.ts'
import { useFileDrop, wholePage } from '../items/drag/drag-and-drop.ts'
import { type Arrival, FIRST_ITEM, useArrival } from '../items/grid/arrivals.ts'
import type { ItemActions } from '../items/item-actions.ts'
import { useSharedAround } from '../items/shared-with-me.ts'
import { useIsPhone } from '../lib/use-media.ts'
import { isKeyTaken } from '../ui/dialogs/open-layers.ts'
import { PageHeader, PhoneStrip } from '../ui/PageHeader.tsx'
import { AddButton } from '../uploader/file-input/AddButton.tsx'
import { useFilePaste } from '../uploader/file-input/file-drops.ts'
import { UploadZone } from '../uploader/file-input/UploadZone.tsx'
import { uploadDropped, uploadFiles, uploadFolders, uploadPasted } from '../uploader/file-input/upload-chosen.ts'
import styles from './ProfilePage.module.css'

/** The file manager. The address has the current folder: `/profile?folder=<id>`. */
export function ProfilePage() {
  const [parameters] = useSearchParams()
  const folderId = parameters.get('folder') || undefined
  const { name, path, parentId } = useFolderPlace(folderId)
  // Undefined in own folders.
  const shared = useSharedAround(folderId ? [folderId, ...path.map(({ id }) => id)] : [])
  const { role, mount } = shared ?? {}
  const canAdd = role === undefined || suffices(role, 'contributor')
  const mountParent = useFolderPlace(mount?.parentId ?? undefined)
  const home = role && !mount ? sharedHome(canAdd) : { ...driveHome, canAdd }
  const navigate = useNavigate()
  const arrival = useArrival()
  const toggleFavorite = useToggleFavorite()
  const isPhone = useIsPhone()
  const target = { parentFolderId: folderId, folderName: name }
  const isDragging = useFileDrop(wholePage, canAdd ? (items) => void uploadDropped(items, target) : undefined)
  useFilePaste((items) => void (canAdd && uploadPasted(items, target)))

  function open(id: string | null, state: Arrival) {
    void navigate(folderAddress(id), { state })
  }

  const show = ({ id, folder_id, sharedBy }: SearchResult) =>
    // A folder that is shared with the user is in no other one.
    open(folder_id ?? (sharedBy ? id : null), { arrivalId: id })

  function goUp() {
    if (folderId === undefined) return
    if (mount && parentId === null) open(mount.parentId, { arrivalId: mount.id })
    else if (role && parentId === null) void navigate(home.addressOf(undefined))
    else open(parentId, { arrivalId: folderId })
  }

  useHotkeys([['alt+ArrowUp', (event) => !isKeyTaken(event) && goUp()]])

  return (
    <div className={styles.page} data-dragging={isDragging || undefined}>
      <VisuallyHidden component="h1">Profile</VisuallyHidden>
      {isPhone ? (
        <>
          <PhoneStrip>
            <StorageStrip />
          </PhoneStrip>
          {canAdd && (
            <AddButton
              folderName={name}
              onFiles={(files) => uploadFiles(files, target)}
              onFolder={(files) => uploadFolders(files, target)}
            >
              {({ close, className }) => (
                <>
                  <CreateFolderButton className={className} isRow folderId={folderId} onClick={close} />
                  {folderId !== undefined && role === undefined && (
                    <Button
                      className={className}
                      variant="subtle"
                      justify="flex-start"
                      leftSection={<IconInbox size={20} stroke={1.75} />}
                      onClick={() => {
                        close()
                        openRequestFiles({ id: folderId, type: 'folder', isEncrypted: false })
                      }}
                    >
                      Request files
                    </Button>
                  )}
                </>
              )}
            </AddButton>
          )}
        </>
      ) : (
        <>
          <PageHeader>
            <SearchBox onChoose={show} />
          </PageHeader>
          <div className={styles.top}>
            <StorageCard />
            {canAdd && (
              <UploadZone
                folderName={name}
                isDragging={isDragging}
                onFiles={(files) => uploadFiles(files, target)}
                onFolder={(files) => uploadFolders(files, target)}
              />
            )}
          </div>
        </>
      )}
      <div className={styles.folder}>
        <FolderView
          home={home}
          folderId={folderId}
          itemId={parentId === null ? mount?.id : undefined}
          place={mount ? placeBelow(mount, mountParent, { name, path }) : { name, path }}
          arrivalId={arrival?.arrivalId}
          onOpenFolder={(id) => open(id, { arrivalId: FIRST_ITEM })}
          onBack={goUp}
          onDropFiles={canAdd ? (id, items) => void uploadDropped(items, { parentFolderId: id }) : undefined}
          onToggleFavorite={toggleFavorite}
          onShare={role ? undefined : openPublicLink}
          onShareWithPeople={role ? undefined : openMembers}
          onRequestFiles={role ? undefined : openRequestFiles}
          otherActions={role && withoutActions(role)}
          onActivity={(id) => void navigate(activityAddress(id))}
          onHistory={openVersionHistory}
        />
      </div>
      {isPhone && <PhoneSearch onChoose={show} />}
      {isDragging && <div className={styles.light} />}
    </div>
  )
}

type Place = Pick<ReturnType<typeof useFolderPlace>, 'name' | 'path'>

/** Returns the name and path of a shared folder, or of one inside it, that begins in the user's own files. */
function placeBelow(
  mount: { readonly id: string; readonly name: string; readonly parentId: string | null },
  parent: Place,
  place: Place,
): Place {
  const { parentId } = mount
  const above = parentId === null ? [] : [...parent.path, { id: parentId, name: parent.name }]
  const [top, ...rest] = place.path
  if (!top) return { name: mount.name, path: above }
  return { name: place.name, path: [...above, { id: top.id, name: mount.name, itemId: mount.id }, ...rest] }
}

/** Takes away what a member can't do with items of somebody else's folder. */
function withoutActions(role: Role): Partial<ItemActions> {
  return suffices(role, 'editor') ? {} : { rename: undefined, move: undefined, remove: undefined, cut: undefined }
}
