import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useToggleFavorite } from '../features/favorites/use-toggle-favorite.tsx'
import { CreateFolderButton } from '../features/files/FolderToolbar.tsx'
import { FolderView } from '../features/files/FolderView.tsx'
import { folderAddress } from '../features/files/folder-address.ts'
import { useFolderPlace } from '../features/files/queries.ts'
import { StorageCard } from '../features/files/StorageCard.tsx'
import { UploadZone } from '../features/uploads/UploadZone.tsx'
import { uploadDropped } from '../features/uploads/upload-chosen.ts'
import { type Arrival, FIRST_ITEM, useArrival } from '../lib/arrival.ts'
import { useFileDrop } from '../lib/use-file-drop.ts'
import { PageHeading } from '../ui/PageHeader.tsx'
import styles from './ProfilePage.module.css'

/** The file manager. The folder that is shown stands in the address: `/profile?folder=<id>`. */
export function ProfilePage() {
  const [parameters] = useSearchParams()
  const folderId = parameters.get('folder') || undefined
  const { name, path, parentId } = useFolderPlace(folderId)
  const navigate = useNavigate()
  const arrival = useArrival()
  const toggleFavorite = useToggleFavorite()
  const page = useRef(document.body)
  const isDragging = useFileDrop(page, (items) => void uploadDropped(items, { parentFolderId: folderId }))

  function open(id: string | null, state: Arrival) {
    void navigate(folderAddress(id), { state })
  }

  function goUp() {
    if (folderId !== undefined) open(parentId, { arrivalId: folderId })
  }

  useHotkeys([['alt+ArrowUp', () => !document.querySelector('[aria-modal]') && goUp()]])

  return (
    <div className={styles.page} data-dragging={isDragging || undefined}>
      <PageHeading>Profile</PageHeading>
      <div className={styles.top}>
        <StorageCard />
        <UploadZone target={{ parentFolderId: folderId }} folderName={name} isDragging={isDragging}>
          <CreateFolderButton className={styles.create} folderId={folderId} />
        </UploadZone>
      </div>
      <div className={styles.folder}>
        <FolderView
          folderId={folderId}
          place={{ name, path }}
          arrivalId={arrival?.arrivalId}
          onOpenFolder={(id) => open(id, { arrivalId: FIRST_ITEM })}
          onBack={goUp}
          onDropFiles={(id, items) => void uploadDropped(items, { parentFolderId: id })}
          onToggleFavorite={toggleFavorite}
        />
      </div>
      {isDragging && <div className={styles.light} />}
    </div>
  )
}
