import type { FileRequest } from '@alcove/contract/submissions'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNoStrayDrops } from '../../../../uploader/file-input/file-drops.ts'
import { UploadTray } from '../../../../uploader/tray/UploadTray.tsx'
import { openTray, UploadQueueContext } from '../../../../uploader/uploads.ts'
import type { Visit } from '../link-address.ts'
import styles from './FolderUploads.module.css'
import { SendArea } from './SendArea.tsx'
import { useSender } from './use-sender.ts'

interface FolderUploadsProps {
  readonly visit: Visit
  readonly request: FileRequest
}

/** Lets visitors add files to the folder that they see. */
export function FolderUploads({ visit, request }: FolderUploadsProps) {
  const sender = useSender(visit)
  useRefresh(visit, sender.queue)
  useNoStrayDrops()
  return (
    <UploadQueueContext value={sender.queue}>
      <section className={styles.area} aria-label="Add files">
        {request.message && (
          <p className={styles.message} dir="auto">
            {request.message}
          </p>
        )}
        <SendArea sender={sender} request={request} isShown />
      </section>
      <UploadTray />
    </UploadQueueContext>
  )
}

/** The minimum time between two refetches of the folder, in milliseconds. */
const REFRESH_INTERVAL = 3000

/** Shows the tray for new uploads, and what has arrived in the list of the folder. */
function useRefresh({ token }: Visit, queue: ReturnType<typeof useSender>['queue']): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refetch = () => {
      timer = undefined
      void queryClient.invalidateQueries({ queryKey: ['public', token] })
    }
    const stop = queue.listen({
      added: openTray,
      stored: () => {
        timer ??= setTimeout(refetch, REFRESH_INTERVAL)
      },
      foldersCreated: refetch,
      batchSettled() {
        clearTimeout(timer)
        refetch()
      },
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [queryClient, queue, token])
}
