import type { PublicRequest } from '@alcove/contract/sharing'
import { Button } from '@mantine/core'
import { IconCircleCheckFilled } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { formatSize, plural } from '../../../../lib/format.ts'
import { useFocusFallback } from '../../../../lib/use-focus-fallback.ts'
import { useNoStrayDrops } from '../../../../uploader/file-input/file-drops.ts'
import { TrayContent } from '../../../../uploader/tray/TrayContent.tsx'
import { useProgressAnnouncement, useTabTitle } from '../../../../uploader/tray/use-progress.ts'
import type { UploadsSnapshot } from '../../../../uploader/upload-view.ts'
import { UploadQueueContext, useUploadQueue, useUploads } from '../../../../uploader/uploads.ts'
import type { Visit } from '../link-address.ts'
import { SharedByChip, ShareFoot, useFocusedHeading } from '../ShareFrame.tsx'
import styles from './RequestPage.module.css'
import { SendArea } from './SendArea.tsx'
import { useSender } from './use-sender.ts'

interface RequestPageProps {
  readonly visit: Visit
  readonly request: PublicRequest
  /** Whether the title takes the focus. */
  readonly takesFocus: boolean
}

/** Asks visitors for files. Nothing shows of the folder that gets them. */
export function RequestPage({ visit, request, takesFocus }: RequestPageProps) {
  const sender = useSender(visit)
  const heading = useFocusedHeading(takesFocus)
  // Also while it thanks, when nothing takes files.
  useNoStrayDrops()
  return (
    <UploadQueueContext value={sender.queue}>
      <div className={styles.page}>
        <SharedByChip sharedBy={request.sharedBy} isRequest />
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          <bdi dir="auto">{request.title ?? 'Send files'}</bdi>
        </h1>
        {request.message && (
          <p className={styles.message} dir="auto">
            {request.message}
          </p>
        )}
        <Sending>
          <SendArea sender={sender} request={request} />
        </Sending>
      </div>
      <div className={styles.foot}>
        <ShareFoot />
      </div>
    </UploadQueueContext>
  )
}

/** Shows the uploads below what begins them and, once everything has arrived, thanks for it. */
function Sending({ children }: { readonly children: ReactNode }) {
  const snapshot = useUploads()
  const announcement = useProgressAnnouncement(snapshot)
  useTabTitle(snapshot)
  const isDone = isAllThere(snapshot)
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, String(isDone))
  return (
    <>
      <p className={styles.announcement} role="status">
        {announcement}
      </p>
      <div ref={place} className={styles.place} tabIndex={-1}>
        {isDone ? <ThankYou snapshot={snapshot} /> : children}
      </div>
      {snapshot.views.length > 0 && (
        <section className={styles.uploads} aria-label="Uploads">
          <TrayContent snapshot={snapshot} />
        </section>
      )}
    </>
  )
}

function isAllThere({ views, uploading, waiting, paused, inConflict, failed, filesStored }: UploadsSnapshot): boolean {
  return views.length > 0 && filesStored > 0 && uploading + waiting + paused + inConflict + failed === 0
}

function ThankYou({ snapshot: { filesStored, sent } }: { readonly snapshot: UploadsSnapshot }) {
  const queue = useUploadQueue()
  return (
    <div className={styles.thanks}>
      <IconCircleCheckFilled className={styles.tick} size={32} aria-hidden />
      <div className={styles.words}>
        <h2 className={styles.thankYou}>Thank you</h2>
        <p className={styles.arrived}>
          {filesStored === 1 ? '1 file has' : `${plural(filesStored, 'file')} have`} arrived, {formatSize(sent)}.
        </p>
      </div>
      <Button variant="default" onClick={() => queue.clearSettled()}>
        Send more
      </Button>
    </div>
  )
}
