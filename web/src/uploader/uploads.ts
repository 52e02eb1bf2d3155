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

/** How the tray shows: with its list, without it as one line, or by itself whichever the screen has room for. */
type Tray = 'closed' | 'auto' | 'line' | 'list'

const tray = createStore<Tray>('closed')

export const showTray = tray.set

/** Opens the tray for new uploads, unless it is open. */
export function openTray(): void {
  if (tray.get() === 'closed') tray.set('auto')
}

/** Returns how the tray shows. Uploads don't depend on it. */
export function useTray(): Tray {
  return useStore(tray)
}
