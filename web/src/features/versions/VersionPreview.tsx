import type { File } from '@alcove/contract/items'
import type { Version } from '@alcove/contract/versions'
import { Button, Modal } from '@mantine/core'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { useMemo, useRef } from 'react'
import { useLoaded } from '../../lib/lazy-module.ts'
import { PREVIEW_FAILED } from '../../preview/preview-item.ts'
import { useOverlay } from '../../ui/dialogs/overlay-history.ts'
import { ItemName } from '../../ui/ItemName.tsx'
import { notifyError } from '../../ui/toasts/notify.tsx'
import { useToastPlace } from '../../ui/toasts/toasts.ts'
import styles from './VersionPreview.module.css'
import type { VersionBytes } from './version-bytes.ts'
import { describeWhen } from './version-texts.ts'

interface VersionPreviewProps {
  readonly file: File
  /** Undefined while the preview is closed. */
  readonly version: Version | undefined
  readonly toPreviewItem: VersionBytes['toPreviewItem']
  readonly onDownload: (version: Version) => void
  readonly onRestore: (version: Version) => void
  readonly onClose: () => void
}

/**
 * Shows a version over the history. It isn't counted as another dialog: the viewers leave their keys to a dialog above them,
 * and here they are the topmost layer.
 */
export function VersionPreview({ file, version, onClose, ...content }: VersionPreviewProps) {
  useOverlay(version !== undefined, onClose)
  const responses = useRef<HTMLDivElement>(null)
  useToastPlace(version !== undefined, () => responses.current)
  return (
    <Modal
      opened={version !== undefined}
      onClose={onClose}
      fullScreen
      title={
        version && (
          <span className={styles.title}>
            <ItemName name={file.name} />
            <span className={styles.when}>Version replaced {describeWhen(version.createdAt)}</span>
          </span>
        )
      }
      classNames={{
        inner: styles.inner,
        content: styles.dialog,
        header: styles.header,
        title: styles.heading,
        body: styles.body,
      }}
    >
      <div ref={responses} className={styles.responses} />
      {version && <Content file={file} version={version} onClose={onClose} {...content} />}
    </Modal>
  )
}

interface ContentProps extends VersionPreviewProps {
  readonly version: Version
}

function Content({ file, version, toPreviewItem, onDownload, onRestore, onClose }: ContentProps) {
  const item = useMemo(() => toPreviewItem(file, version), [file, version, toPreviewItem])
  const frame = useLoaded(
    () => import('../../preview/PreviewFrame.tsx'),
    () => {
      notifyError(PREVIEW_FAILED)
      onClose()
    },
  )
  return (
    <>
      <div className={styles.frame}>
        {frame && <frame.PreviewFrame item={item} actions={{ download: () => onDownload(version) }} />}
      </div>
      <div className={styles.actions}>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} />}
          onClick={() => onDownload(version)}
        >
          Download
        </Button>
        <Button
          leftSection={<IconArrowBackUp size={18} stroke={1.75} />}
          onClick={() => {
            onClose()
            onRestore(version)
          }}
        >
          Restore this version
        </Button>
      </div>
    </>
  )
}
