import { createContext, useContext, useSyncExternalStore } from 'react'
import { browserConnection } from '../api/connection.ts'
import { getSession, subscribeToSession } from '../api/session.ts'
import { createStore, useStore } from '../lib/store.ts'
import { createUploadEnvironment } from './chunked-upload.ts'
import { browserTransport } from './transport.ts'
import { createBrowserUnfinishedUploads } from './unfinished-uploads.ts'
import { UploadQueue } from './upload-queue.ts'
import type { UploadsSnapshot } from './upload-view.ts'

/** The uploads of the signed-in user in this tab. */
export const uploads = new UploadQueue(
  createUploadEnvironment({ transport: browserTransport, connection: browserConnection }),
  createBrowserUnfinishedUploads(),
)

/** The queue that the components of uploads show and control. Visitors who send files have another one. */
export const UploadQueueContext = createContext(uploads)

export function useUploadQueue(): UploadQueue {
  return useContext(UploadQueueContext)
}

/** Returns the state of all uploads, updated at most ten times a second. */
export function useUploads(): UploadsSnapshot {
  const queue = useUploadQueue()
  return useSyncExternalStore(queue.subscribe, queue.getSnapshot)
}

subscribeToSession(() => {
  if (!getSession().token) uploads.suspend()
})

/** Has the browser ask before the page is closed while a queue is uploading. */
export function warnBeforeLeaving(queue: UploadQueue): void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault()
  // This listener slows down leaving and returning to the page, so it is added only while uploads would be lost.
  queue.subscribe(() => {
    const { uploading, waiting } = queue.getSnapshot()
    if (uploading + waiting > 0) window.addEventListener('beforeunload', warn)
    else window.removeEventListener('beforeunload', warn)
  })
}

warnBeforeLeaving(uploads)

/** Returns whether the tray is shown. Uploads don't depend on it. */
const isTrayShown = createStore(false)

export const showTray = isTrayShown.set

export function useIsTrayShown(): boolean {
  return useStore(isTrayShown)
}
