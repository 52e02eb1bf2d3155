import type { Services } from './context.ts'
import { sweepSessions } from './features/accounts/sweep-sessions.ts'
import { sweepTrash } from './features/trash/sweep-trash.ts'
import { sweepUploads } from './features/uploads/sweep-uploads.ts'
import { startSchedule } from './platform/jobs/schedule.ts'
import { removeQueuedBlobs } from './tree/remove-blobs.ts'
import { sweepBlobs } from './tree/sweep-blobs.ts'

const HOUR = 3_600_000

/** What the server does by itself, at start and again and again. Answers how to stop it. */
export function startRegularWork(services: Services): () => Promise<void> {
  return startSchedule(
    [
      { name: 'sweep uploads', every: HOUR, work: () => sweepUploads(services) },
      { name: 'sweep sessions', every: HOUR, work: () => sweepSessions(services) },
      { name: 'sweep trash', every: HOUR, work: () => sweepTrash(services) },
      { name: 'remove blobs', every: HOUR, work: () => removeQueuedBlobs(services) },
      { name: 'sweep blobs', every: 24 * HOUR, work: () => sweepBlobs(services) },
    ],
    services.log,
  )
}
