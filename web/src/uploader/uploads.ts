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

/** Returns all uploads as they are, updated at most ten times a second. */
export function useUploads(): UploadsSnapshot {
  return useSyncExternalStore(uploads.subscribe, uploads.getSnapshot)
}

subscribeToSession(() => {
  if (!getSession().token) uploads.suspend()
})

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

// A page with such a listener is slower to leave and to come back to, so it stays only while something would be lost.
uploads.subscribe(() => {
  const { uploading, waiting } = uploads.getSnapshot()
  if (uploading + waiting > 0) window.addEventListener('beforeunload', warn)
  else window.removeEventListener('beforeunload', warn)
})

/** Whether the tray is on screen. The uploads go on without it. */
const isTrayShown = createStore(false)

export const showTray = isTrayShown.set

export function useIsTrayShown(): boolean {
  return useStore(isTrayShown)
}
