import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'
import { useLocation, useNavigate, useNavigationType, useSearchParams } from 'react-router'
import { CreateFolderButton } from '../features/files/FolderToolbar.tsx'
import { FolderView } from '../features/files/FolderView.tsx'
import { type Arrival, FIRST_ITEM, folderAddress } from '../features/files/folder-address.ts'
import { useFolderPlace } from '../features/files/queries.ts'
import { StorageCard } from '../features/files/StorageCard.tsx'
import { UploadZone } from '../features/uploads/UploadZone.tsx'
import { uploadDropped } from '../features/uploads/upload-chosen.ts'
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
        />
      </div>
      {isDragging && <div className={styles.light} />}
    </div>
  )
}

/** Where the keyboard starts; after the browser's own Back and Forward it starts nowhere, for the page scrolls itself. */
function useArrival(): Arrival | undefined {
  const { state } = useLocation()
  const isOurs = useNavigationType() === 'PUSH'
  return isOurs && state ? (state as Arrival) : undefined
}
