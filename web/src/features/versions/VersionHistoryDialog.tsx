import type { File } from '@alcove/contract/items'
import type { Version } from '@alcove/contract/versions'
import { Modal } from '@mantine/core'
import { type ComponentProps, type RefObject, useRef, useState } from 'react'
import { onUserChange } from '../../api/session.ts'
import { versionRetention } from '../../lib/site.ts'
import { createStore, useStore } from '../../lib/store.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useDialog } from '../../ui/dialogs/open-layers.ts'
import { ItemName } from '../../ui/ItemName.tsx'
import { useToastPlace } from '../../ui/toasts/toasts.ts'
import styles from './VersionHistoryDialog.module.css'
import { VersionList } from './VersionList.tsx'
import { driveVersions, type VersionBytes } from './version-bytes.ts'
import { describeRetention } from './version-texts.ts'

interface OpenHistory {
  /** The file as it was when its history was opened. */
  readonly file: File
  readonly bytes: VersionBytes
}

/** The file whose history is shown; undefined while none is. */
const openHistory = createStore<OpenHistory | undefined>(undefined)

export function showVersionHistory(file: File, bytes: VersionBytes = driveVersions): void {
  openHistory.set({ file, bytes })
}

function closeVersionHistory(): void {
  openHistory.set(undefined)
}

onUserChange(closeVersionHistory)

/** The dialog with the earlier versions of a file. On phones it fills the screen. */
export function VersionHistoryDialog() {
  const open = useStore(openHistory)
  const isPhone = useIsPhone()
  const dialog = useDialog(open !== undefined, closeVersionHistory)
  // It is still shown while the dialog fades out.
  const [shown, setShown] = useState(open)
  if (open && open !== shown) setShown(open)
  const [previewed, setPreviewed] = useState<Version>()
  if (!open && previewed) setPreviewed(undefined)
  const responses = useRef<HTMLDivElement>(null)
  useToastPlace(open !== undefined, () => responses.current)

  /** All of Mantine's dialogs listen for Escape. It is meant for the one that has the focus. */
  function close() {
    const focused = document.activeElement?.closest('[aria-modal]')
    if (!focused || focused === responses.current?.closest('[aria-modal]')) closeVersionHistory()
  }

  return (
    <Modal
      {...dialog}
      onClose={close}
      title="Version history"
      size={680}
      fullScreen={isPhone}
      classNames={{ inner: styles.inner, content: styles.dialog, header: styles.header, body: styles.body }}
    >
      {shown && (
        <History
          key={shown.file.id}
          file={shown.file}
          bytes={shown.bytes}
          previewed={previewed}
          onPreview={setPreviewed}
          responses={responses}
        />
      )}
    </Modal>
  )
}

interface HistoryProps extends Pick<ComponentProps<typeof VersionList>, 'previewed' | 'onPreview'> {
  readonly file: File
  readonly bytes: VersionBytes
  /** Where toasts appear. */
  readonly responses: RefObject<HTMLDivElement | null>
}

function History({ file, bytes, previewed, onPreview, responses }: HistoryProps) {
  return (
    <>
      <ItemName name={file.name} className={styles.name} />
      <VersionList file={file} bytes={bytes} previewed={previewed} onPreview={onPreview} />
      <div ref={responses} className={styles.responses} />
      <p className={styles.foot}>{describeRetention(versionRetention)}</p>
    </>
  )
}
