import { useHotkeys } from '@mantine/hooks'
import { useEffect } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { VAULT_ROOT } from '../api/vault-root.ts'
import { CreateFolderButton, FolderView, useFolderPlace, vaultAddress, vaultHome } from '../features/files/index.ts'
import { openPublicLink } from '../features/sharing/open-public-link.ts'
import { sweepDecrypted } from '../features/vault/opened-files.ts'
import { toVaultPreviewItem } from '../features/vault/preview-items.ts'
import { keyLinkFor } from '../features/vault/share/key-link.tsx'
import { uploadDropped } from '../features/vault/upload-encrypted.ts'
import { VaultBanner } from '../features/vault/VaultBanner.tsx'
import { VaultUploads } from '../features/vault/VaultUploads.tsx'
import { vaultActions } from '../features/vault/vault-actions.ts'
import { vaultTileParts } from '../features/vault/vault-tile.tsx'
import { vaultVersions } from '../features/vault/vault-versions.ts'
import { openVersionHistory } from '../features/versions/open-version-history.ts'
import { useFileDrop, wholePage } from '../items/drag/drag-and-drop.ts'
import { type Arrival, FIRST_ITEM, useArrival } from '../items/grid/arrivals.ts'
import { useIsSmall } from '../lib/use-media.ts'
import { isKeyTaken } from '../ui/dialogs/open-layers.ts'
import { PageHeading } from '../ui/PageHeader.tsx'
import { AddButton } from '../uploader/file-input/AddButton.tsx'
import styles from './VaultPage.module.css'

const LABELS = { files: 'Upload and Encrypt File', folder: 'Upload and Encrypt Folder' }

/** The vault, which is encrypted in the browser. The address has the current folder: `/vault?folder=<id>`. */
export function VaultPage() {
  const [parameters] = useSearchParams()
  const folderId = parameters.get('folder') || undefined
  const { name, path, parentId } = useFolderPlace(folderId ?? VAULT_ROOT)
  const navigate = useNavigate()
  const arrival = useArrival()
  const isSmall = useIsSmall()
  const target = { parentFolderId: folderId, folderName: folderId && name }
  const isDragging = useFileDrop(wholePage, (items) => void uploadDropped(items, target))

  function open(id: string | null, state: Arrival) {
    void navigate(vaultAddress(id), { state })
  }

  function goUp() {
    if (folderId !== undefined) open(parentId, { arrivalId: folderId })
  }

  useHotkeys([['alt+ArrowUp', (event) => !isKeyTaken(event) && goUp()]])
  useEffect(() => void sweepDecrypted(), [])

  return (
    <div className={styles.page} data-dragging={isDragging || undefined}>
      <PageHeading>Encrypted Vault</PageHeading>
      <VaultBanner />
      <VaultUploads
        target={target}
        renderChoice={
          isSmall
            ? (pick) => (
                <AddButton
                  folderName={folderId === undefined ? 'Encrypted Vault' : name}
                  labels={LABELS}
                  onFiles={(files) => pick('file', files)}
                  onFolder={(files) => pick('folder', files)}
                >
                  {({ close, className }) => (
                    <CreateFolderButton className={className} isRow folderId={folderId ?? VAULT_ROOT} onClick={close} />
                  )}
                </AddButton>
              )
            : undefined
        }
      />
      <FolderView
        home={vaultHome}
        folderId={folderId}
        place={{ name, path }}
        arrivalId={arrival?.arrivalId}
        onOpenFolder={(id) => open(id, { arrivalId: FIRST_ITEM })}
        onBack={goUp}
        onDropFiles={(id, items) => void uploadDropped(items, { parentFolderId: id })}
        onHistory={(file) => openVersionHistory(file, vaultVersions)}
        onShare={(item) => openPublicLink(item, keyLinkFor(item))}
        otherActions={vaultActions}
        toPreviewItem={toVaultPreviewItem}
        tileParts={vaultTileParts}
      />
    </div>
  )
}
