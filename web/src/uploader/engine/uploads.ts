import { useSyncExternalStore } from 'react'
import { browserConnection } from '../../api/connection.ts'
import { getSession, subscribeToSession } from '../../api/session.ts'
import { browserUnfinishedUploads } from '../resume/unfinished-uploads.ts'
import { browserTransport } from '../transport/upload-transport.ts'
import { createUploadEnvironment } from './upload-environment.ts'
import type { UploadsSnapshot } from './upload-snapshot.ts'
import { createUploadStore } from './upload-store.ts'

/** The uploads of this tab. */
export const uploads = createUploadStore(
  createUploadEnvironment({ transport: browserTransport, connection: browserConnection }),
  browserUnfinishedUploads,
)

/** All uploads as they are, at most ten times a second. */
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
