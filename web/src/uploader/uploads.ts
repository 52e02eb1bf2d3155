import { useSyncExternalStore } from 'react'
import { browserConnection } from '../api/connection.ts'
import { getSession, subscribeToSession } from '../api/session.ts'
import { createStore, useStore } from '../lib/store.ts'
import { createUploadEnvironment } from './chunked-upload.ts'
import { browserTransport } from './transport.ts'
import { createBrowserUnfinishedUploads } from './unfinished-uploads.ts'
import { UploadQueue } from './upload-queue.ts'
import type { UploadsSnapshot } from './upload-view.ts'

/** The uploads of this tab. */
export const uploads = new UploadQueue(
  createUploadEnvironment({ transport: browserTransport, connection: browserConnection }),
  createBrowserUnfinishedUploads(),
)

/** Returns the state of all uploads, updated at most ten times a second. */
export function useUploads(): UploadsSnapshot {
  return useSyncExternalStore(uploads.subscribe, uploads.getSnapshot)
}

subscribeToSession(() => {
  if (!getSession().token) uploads.suspend()
})

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

// This listener slows down leaving and returning to the page, so it is added only while uploads would be lost.
uploads.subscribe(() => {
  const { uploading, waiting } = uploads.getSnapshot()
  if (uploading + waiting > 0) window.addEventListener('beforeunload', warn)
  else window.removeEventListener('beforeunload', warn)
})

/** Returns whether the tray is shown. Uploads don't depend on it. */
const isTrayShown = createStore(false)

export const showTray = isTrayShown.set

export function useIsTrayShown(): boolean {
  return useStore(isTrayShown)
}
