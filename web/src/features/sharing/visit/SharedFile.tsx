import type { SharedFile as SharedFileData } from '@alcove/contract/sharing'
import { Button } from '@mantine/core'
import { IconDownload, IconMaximize } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useLocation } from 'react-router'
import { describeFileType } from '../../../lib/file-type-words.ts'
import { formatSize } from '../../../lib/format.ts'
import { InlinePreview, Preview } from '../../../preview/Preview.tsx'
import type { PreviewActions } from '../../../preview/preview-item.ts'
import { previewKindOf } from '../../../preview/preview-kind.ts'
import { usePreviewAddress } from '../../../preview/use-preview-address.ts'
import { type Decryptor, EncryptedFile } from './EncryptedFile.tsx'
import { downloadAddress, startPublicDownload, toPreviewItem, type Visit } from './link-address.ts'
import { SharedByChip } from './SharedByChip.tsx'
import styles from './SharedFile.module.css'
import { ShareFoot } from './ShareFoot.tsx'
import { useFocusedHeading } from './use-focused-heading.ts'

interface SharedFileProps {
  readonly visit: Visit
  readonly file: SharedFileData
  /** The keyboard starts at the name. */
  readonly takesFocus: boolean
  readonly Decryptor: Decryptor
}

/** The page has a Download of its own beside what is shown in place. */
const NO_ACTIONS: PreviewActions = {}

/** A shared file: what it looks like, what it is, and its download. */
export function SharedFile({ visit: { token, access }, file, takesFocus, Decryptor }: SharedFileProps) {
  const heading = useFocusedHeading(takesFocus)
  const { hash } = useLocation()
  const visit = useMemo(() => ({ token, access }), [token, access])
  const items = useMemo(() => [toPreviewItem(visit, file)], [visit, file])
  const actions = useMemo(() => ({ download: () => startPublicDownload(visit, file) }), [visit, file])
  const { open } = usePreviewAddress()
  const kind = file.isEncrypted ? undefined : previewKindOf(file.name)
  const [item] = items
  return (
    <div className={styles.page}>
      <div className={styles.preview} data-encrypted={file.isEncrypted || undefined}>
        {file.isEncrypted ? (
          <EncryptedFile visit={visit} file={file} linkKey={keyIn(hash)} Decryptor={Decryptor} />
        ) : (
          item && <InlinePreview key={item.id} item={item} actions={NO_ACTIONS} />
        )}
      </div>
      <div className={styles.side}>
        <SharedByChip sharedBy={file.sharedBy} />
        <h1 ref={heading} className={styles.name} tabIndex={-1}>
          <bdi dir="auto">{file.name}</bdi>
        </h1>
        <p className={styles.details}>
          {formatSize(file.size)}, {file.isEncrypted ? 'encrypted' : describeFileType(file.name)}
        </p>
        <div className={styles.buttons}>
          <Button
            size={file.isEncrypted ? 'lg' : 'xl'}
            variant={file.isEncrypted ? 'default' : 'filled'}
            component="a"
            href={downloadAddress(visit, file.id)}
            download
            leftSection={<IconDownload size={20} stroke={1.75} />}
          >
            {file.isEncrypted ? 'Download Encrypted' : 'Download'}
          </Button>
          {kind && kind !== 'audio' && (
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
      {!file.isEncrypted && <Preview items={items} actions={actions} />}
    </div>
  )
}

/** The key that stands in the fragment of a link, which browsers never send. */
function keyIn(hash: string): string | undefined {
  return new URLSearchParams(hash.slice(1)).get('key') ?? undefined
}
