import { previewKindOf } from '@alcove/contract/preview-kind'
import type { SharedFile as SharedFileData } from '@alcove/contract/sharing'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconMaximize } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useLocation } from 'react-router'
import { describeFileType } from '../../../lib/file-type-words.ts'
import { formatSize } from '../../../lib/format.ts'
import { InlinePreview, Preview } from '../../../preview/Preview.tsx'
import type { PreviewActions } from '../../../preview/preview-item.ts'
import { usePreviewAddress } from '../../../preview/use-preview-address.ts'
import { DownloadButton } from './DownloadButton.tsx'
import { type Decryptor, EncryptedFile } from './EncryptedFile.tsx'
import { downloadAddress, toPreviewItem, type Visit } from './link-address.ts'
import styles from './SharedFile.module.css'
import { PublicThumbnail } from './SharedTiles.tsx'
import { SharedByChip, ShareFoot, useFocusedHeading, ViewOnlyChip } from './ShareFrame.tsx'

interface SharedFileProps {
  readonly visit: Visit
  readonly file: SharedFileData
  /** Whether the name takes the focus. */
  readonly takesFocus: boolean
  readonly onDownload: (id: string) => void
  readonly Decryptor: Decryptor
}

/** For the inline preview: the page has its own download button beside it. */
const NO_ACTIONS: PreviewActions = {}

/** Shows a shared file: its preview, its details and its download. */
export function SharedFile({ visit: { token, access }, file, takesFocus, onDownload, Decryptor }: SharedFileProps) {
  const heading = useFocusedHeading(takesFocus)
  const { hash } = useLocation()
  const visit = useMemo(() => ({ token, access }), [token, access])
  const items = useMemo(() => [toPreviewItem(visit, file)], [visit, file])
  const actions = useMemo(
    () => (file.canDownload ? { download: () => onDownload(file.id) } : NO_ACTIONS),
    [onDownload, file],
  )
  const { open } = usePreviewAddress()
  const kind = file.isEncrypted ? undefined : previewKindOf(file.name)
  const [item] = items
  return (
    <div className={styles.page}>
      <div
        className={styles.preview}
        data-encrypted={file.isEncrypted || undefined}
        data-thumbnail={(!file.isEncrypted && !file.canPreview) || undefined}
      >
        {file.isEncrypted ? (
          <EncryptedFile
            visit={visit}
            file={file}
            linkKey={keyOf(hash)}
            canPreview={file.canPreview}
            Decryptor={Decryptor}
          />
        ) : (
          item &&
          (file.canPreview ? (
            <InlinePreview item={item} actions={NO_ACTIONS} />
          ) : (
            <PublicThumbnail visit={visit} file={file} />
          ))
        )}
      </div>
      <div className={styles.side}>
        <div className={styles.chips}>
          <SharedByChip sharedBy={file.sharedBy} />
          {!file.canDownload && <ViewOnlyChip />}
        </div>
        <h1 ref={heading} className={styles.name} tabIndex={-1}>
          <bdi dir="auto">{file.name}</bdi>
        </h1>
        <p className={styles.details}>
          {formatSize(file.size)}, {file.isEncrypted ? 'encrypted' : describeFileType(file.name)}
        </p>
        <div className={styles.buttons}>
          {file.canDownload && (
            <DownloadButton
              size={file.isEncrypted ? 'lg' : 'xl'}
              variant={file.isEncrypted ? 'default' : 'filled'}
              href={downloadAddress(visit, file.id)}
              onDownload={() => onDownload(file.id)}
            >
              {file.isEncrypted ? 'Download Encrypted' : 'Download'}
            </DownloadButton>
          )}
          {kind && kind !== 'audio' && file.canPreview && (
            <Button
              size="lg"
              variant="default"
              leftSection={<IconMaximize size={18} stroke={1.75} />}
              onClick={() => open(file.id)}
            >
              View full screen
            </Button>
          )}
        </div>
        <ShareFoot />
      </div>
      {!file.isEncrypted && file.canPreview && <Preview items={items} actions={actions} />}
    </div>
  )
}

/** Returns the key in the fragment of a link, which browsers never send. */
function keyOf(hash: string): string | undefined {
  return new URLSearchParams(hash.slice(1)).get('key') ?? undefined
}

/** The skeleton of a shared item that is loading. */
export function ShareSkeleton() {
  return (
    <div className={styles.page}>
      <VisuallyHidden role="status">Loading...</VisuallyHidden>
      <Skeleton className={styles.preview} height="auto" radius={0} />
      <div className={styles.side}>
        <Skeleton height={22} width={120} mb={16} />
        <Skeleton height={30} width="80%" mb={8} />
        <Skeleton height={20} width="50%" mb={28} />
        <Skeleton height={50} />
      </div>
    </div>
  )
}
