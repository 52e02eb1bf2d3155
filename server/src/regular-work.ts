import type { Services } from './context.ts'
import { sweepSessions } from './features/accounts/sweep-sessions.ts'
import { endUnpaidPlans } from './features/billing/end-unpaid-plans.ts'
import { sweepEvents } from './features/billing/sweep-events.ts'
import { syncCustomers } from './features/billing/sync-customers.ts'
import { sweepSelections } from './features/files/sweep-selections.ts'
import { sweepTrash } from './features/trash/sweep-trash.ts'
import { sweepUploads } from './features/uploads/sweep-uploads.ts'
import { startSchedule } from './platform/jobs/schedule.ts'
import { digestBlobs } from './tree/digest-blobs.ts'
import { readMedia } from './tree/read-media.ts'
import { removeQueuedBlobs } from './tree/remove-blobs.ts'
import { findNamesToIndex, syncSearch } from './tree/search/sync-search.ts'
import { sweepBlobs } from './tree/sweep-blobs.ts'
import { sweepSegments } from './tree/sweep-segments.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** What the server does by itself, at start and again and again. Answers how to stop it. */
export function startRegularWork(services: Services): () => Promise<void> {
  return startSchedule(
    [
      { name: 'sweep uploads', every: HOUR, work: () => sweepUploads(services) },
      { name: 'sweep sessions', every: HOUR, work: () => sweepSessions(services) },
      { name: 'sweep selections', every: HOUR, work: () => sweepSelections(services) },
      { name: 'sweep trash', every: HOUR, work: () => sweepTrash(services) },
      { name: 'remove blobs', every: HOUR, work: () => removeQueuedBlobs(services) },
      { name: 'end unpaid plans', every: HOUR, work: () => endUnpaidPlans(services) },
      { name: 'sweep payment events', every: 24 * HOUR, work: () => sweepEvents(services) },
      { name: 'sync customers', every: 24 * HOUR, work: (signal) => syncCustomers(services, signal) },
      { name: 'find names to index', every: 24 * HOUR, work: () => findNamesToIndex(services) },
      { name: 'index names', every: 2 * SECOND, work: (signal) => syncSearch(services, signal) },
      { name: 'digest blobs', every: 5 * SECOND, work: (signal) => digestBlobs(services, signal) },
      { name: 'read media', every: 5 * SECOND, work: (signal) => readMedia(services, signal) },
      { name: 'sweep segments', every: HOUR, work: () => sweepSegments(services) },
      { name: 'sweep blobs', every: 24 * HOUR, work: () => sweepBlobs(services) },
    ],
    services.log,
  )
}
