import type { Services } from './context.ts'
import {
  accountMailJobs,
  deleteLeftoversJob,
  invitationToServerJob,
  sweepAccounts,
  sweepInvitations,
  sweepSessions,
} from './modules/accounts/index.ts'
import { sweepActivity } from './modules/activity/index.ts'
import { deleteDueUsers, sampleStorage, startDueBackup } from './modules/admin/index.ts'
import {
  billingMailJobs,
  endCustomerJob,
  endUnpaidPlans,
  followPlansSetting,
  sweepEvents,
  syncCustomers,
} from './modules/billing/index.ts'
import { endRevokedStreams, pollChanges, sendHeartbeats } from './modules/events/index.ts'
import { sweepSelections } from './modules/files/index.ts'
import {
  findStorageLevels,
  massDeletionMailJob,
  mountRemovalJob,
  noticeStorageLevels,
  sweepLocks,
} from './modules/items/index.ts'
import { readMedia, sweepSegments } from './modules/media/index.ts'
import { groupChangesJob, invitationMailJob, providerChangesJob, sweepProviderGroups } from './modules/members/index.ts'
import { sweepLoginFlows } from './modules/nextcloud/index.ts'
import { noticeMailJob, queueNoticeMails, sweepNotices } from './modules/notices/index.ts'
import { findNamesToIndex, syncSearch } from './modules/search/index.ts'
import { sweepSubmissions } from './modules/sharing/index.ts'
import { digestBlobs, removeBlobsJob, removeQueuedBlobs, scrubBlobs, sweepBlobs } from './modules/storage/index.ts'
import { sweepDeletionGroups, sweepTrash } from './modules/trash/index.ts'
import { scanReceivedJob, sweepUploads } from './modules/uploads/index.ts'
import { deleteIdenticalVersions, deleteVersionsJob, thinVersions } from './modules/versions/index.ts'
import { unlessClockJumped } from './platform/clock.ts'
import { withAdvisoryLock } from './platform/db/advisory-lock.ts'
import { shrinkDatabase } from './platform/db/shrink-database.ts'
import { type AnyJob, handleJobs } from './platform/jobs/define-job.ts'
import { sweepFailedJobs } from './platform/jobs/failed-jobs.ts'
import { startSchedule } from './platform/jobs/schedule.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

/** Every job that may be queued. */
const jobs: readonly AnyJob[] = [
  ...accountMailJobs,
  ...billingMailJobs,
  endCustomerJob,
  deleteLeftoversJob,
  deleteVersionsJob,
  groupChangesJob,
  invitationMailJob,
  invitationToServerJob,
  massDeletionMailJob,
  mountRemovalJob,
  noticeMailJob,
  providerChangesJob,
  removeBlobsJob,
  scanReceivedJob,
]

/** Makes this server run queued jobs. Operator commands don't call this: they leave jobs to a server. */
export function registerJobs(services: Services): void {
  handleJobs(services, jobs)
}

/** Starts the scheduled jobs, each of which runs now and then at its interval. Returns a function that stops them. */
export function startScheduledJobs(services: Services): () => Promise<void> {
  // If there are several servers, only one at a time does this work.
  const once = (name: string, work: () => Promise<unknown>) => withAdvisoryLock(services, name, work)
  const byAge = (work: (signal: AbortSignal) => Promise<unknown>) => unlessClockJumped(services.clock, work)
  return startSchedule(
    [
      { name: 'sweep uploads', every: HOUR, work: byAge(() => sweepUploads(services)) },
      { name: 'sweep submissions', every: 24 * HOUR, work: byAge(() => sweepSubmissions(services)) },
      { name: 'sweep accounts', every: HOUR, work: byAge(() => sweepAccounts(services)) },
      { name: 'delete due users', every: HOUR, work: byAge(() => deleteDueUsers(services)) },
      { name: 'sweep invitations', every: 24 * HOUR, work: byAge(() => sweepInvitations(services)) },
      { name: 'sweep sessions', every: HOUR, work: byAge(() => sweepSessions(services)) },
      { name: 'sweep groups of providers', every: HOUR, work: () => sweepProviderGroups(services) },
      { name: 'sweep login flows', every: HOUR / 6, work: byAge(() => sweepLoginFlows(services)) },
      { name: 'sweep selections', every: HOUR, work: () => sweepSelections(services) },
      { name: 'sweep trash', every: HOUR, work: byAge(() => sweepTrash(services)) },
      { name: 'sweep deletion groups', every: HOUR, work: byAge(() => sweepDeletionGroups(services)) },
      { name: 'sweep notices', every: HOUR, work: byAge(() => sweepNotices(services)) },
      { name: 'sweep activity', every: 24 * HOUR, work: byAge((signal) => sweepActivity(services, signal)) },
      { name: 'notice storage levels', every: 5 * SECOND, work: (signal) => noticeStorageLevels(services, signal) },
      { name: 'find storage levels', every: HOUR, work: (signal) => findStorageLevels(services, signal) },
      { name: 'queue notice mails', every: 30 * SECOND, work: (signal) => queueNoticeMails(services, signal) },
      { name: 'sweep locks', every: HOUR, work: byAge(() => sweepLocks(services)) },
      {
        name: 'thin versions',
        every: 24 * HOUR,
        work: byAge((signal) => once('versions', () => thinVersions(services, signal))),
      },
      { name: 'remove blobs', every: HOUR, work: () => removeQueuedBlobs(services) },
      { name: 'end unpaid plans', every: HOUR, work: byAge(() => endUnpaidPlans(services)) },
      { name: 'follow plans setting', every: HOUR, work: () => followPlansSetting(services) },
      { name: 'sweep payment events', every: 24 * HOUR, work: () => sweepEvents(services) },
      { name: 'sync customers', every: 24 * HOUR, work: (signal) => syncCustomers(services, signal) },
      { name: 'find names to index', every: 24 * HOUR, work: () => findNamesToIndex(services) },
      { name: 'poll changes', every: SECOND, work: () => pollChanges(services) },
      { name: 'end revoked streams', every: 3 * SECOND, work: () => endRevokedStreams(services) },
      { name: 'send heartbeats', every: 25 * SECOND, work: () => sendHeartbeats(services) },
      { name: 'index names', every: 2 * SECOND, work: (signal) => syncSearch(services, signal) },
      {
        name: 'digest blobs',
        every: 5 * SECOND,
        work: (signal) =>
          once('digests', () => digestBlobs(services, signal, (key) => deleteIdenticalVersions(services, key))),
      },
      { name: 'read media', every: 5 * SECOND, work: (signal) => once('media', () => readMedia(services, signal)) },
      { name: 'sweep segments', every: HOUR, work: () => sweepSegments(services) },
      { name: 'scrub blobs', every: 60 * SECOND, work: (signal) => scrubBlobs(services, signal) },
      { name: 'shrink database', every: 60 * SECOND, work: (signal) => shrinkDatabase(services, signal) },
      { name: 'sweep failed jobs', every: 24 * HOUR, work: byAge(() => sweepFailedJobs(services)) },
      { name: 'record runs', every: 60 * SECOND, work: () => services.schedule.save() },
      { name: 'back up', every: HOUR / 4, work: () => once('backup', () => startDueBackup(services)) },
      { name: 'sample storage', every: HOUR, work: () => once('storage sample', () => sampleStorage(services)) },
      { name: 'sweep blobs', every: 24 * HOUR, work: (signal) => sweepBlobs(services, { signal }) },
    ],
    services.log,
    services.schedule,
  )
}
