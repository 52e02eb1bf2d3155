import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Selectable } from 'kysely'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import type { Database } from '../../../platform/db/database.ts'
import { isUniqueViolation } from '../../../platform/db/database-errors.ts'
import type { BackupRunTable } from '../../../platform/db/tables.ts'
import { firstLineOf } from '../../../platform/jobs/first-line.ts'
import { type AuditActor, noteAudit } from '../../audit/index.ts'

export type BackupRun = Selectable<BackupRunTable>
type Recording = Pick<Services, 'db' | 'clock'>

/** A run that hasn't been renewed for so long was interrupted. In milliseconds. */
const INTERRUPTED_AFTER = 5 * 60_000
const RENEW_EVERY = 5000
const KEPT_FOR = 400 * 24 * 3_600_000

const RUNNING: Readonly<Record<BackupRun['kind'], string>> = {
  backup: 'Another backup is running, or was interrupted less than five minutes ago.',
  verification: 'Another verification is running, or was interrupted less than five minutes ago.',
}

/** What is noted in the audit log about the start of a run. */
export const auditActionOf = { backup: 'backup.start', verification: 'backup.verify' } as const

interface NewRun extends Pick<BackupRun, 'kind' | 'folder'> {
  /** Who starts it, for the audit log. Undefined if that is noted already, or if it is scheduled. */
  readonly actor: AuditActor | undefined
}

/** What a run has done when it ends. */
export interface RunResult {
  readonly blobs: number
  readonly bytes: number
  readonly copiedBytes?: number
  /** When the backup was made that was verified. */
  readonly madeAt?: number
  /** What is missing, although it was completed. */
  readonly problem?: string
}

/** Reports how many bytes are done, and of how many. */
export type Watch = (done: number, total: number) => void

/**
 * Does the work of a backup or a verification and records it for administrators to see: while it runs, its progress, and then how it
 * ended. Only one of each kind runs at a time.
 */
export async function recordRun<Result extends RunResult>(
  services: Recording,
  run: NewRun,
  work: (watch: Watch) => Promise<Result>,
): Promise<Result> {
  const { db, clock } = services
  const id = await beginRun(services, run)
  let progress: Pick<BackupRun, 'done_bytes' | 'total_bytes'> = { done_bytes: 0, total_bytes: null }
  const change = (changes: Partial<BackupRun>) =>
    db
      .updateTable('backup_runs')
      .set({ ...progress, updated_at: clock.now(), ...changes })
      .where('id', '=', id)
      .execute()
  // The next renewal may succeed.
  const renewing = setInterval(() => void change({}).catch(() => {}), RENEW_EVERY).unref()
  try {
    const result = await work((done, total) => {
      progress = { done_bytes: done, total_bytes: total }
    })
    const { blobs, bytes, copiedBytes = null, madeAt = null, problem = null } = result
    await change({
      ...{ ended_at: clock.now(), done_bytes: bytes, total_bytes: bytes },
      ...{ blobs, copied_bytes: copiedBytes, made_at: madeAt, error: problem },
    })
    return result
  } catch (error) {
    await change({ ended_at: clock.now(), error: firstLineOf(error) }).catch(() => {})
    throw error
  } finally {
    clearInterval(renewing)
  }
}

async function beginRun({ db, clock }: Recording, { kind, folder, actor }: NewRun): Promise<string> {
  const now = clock.now()
  const id = randomUUID()
  await db
    .updateTable('backup_runs')
    .set({ ended_at: now, error: 'It was interrupted.' })
    .where('ended_at', 'is', null)
    .where('updated_at', '<=', now - INTERRUPTED_AFTER)
    .execute()
  await db
    .deleteFrom('backup_runs')
    .where('began_at', '<', now - KEPT_FOR)
    .execute()
  try {
    await db.transaction().execute(async (tx) => {
      await tx
        .insertInto('backup_runs')
        .values({ id, kind, folder, server: hostname(), began_at: now, updated_at: now, done_bytes: 0 })
        .execute()
      if (actor) await noteAudit({ clock }, tx, actor, { action: auditActionOf[kind], target: folder })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('state_conflict', RUNNING[kind])
    throw error
  }
  return id
}

/** Whether a run is still going on. One whose process has died isn't. */
export function isGoingOn({ ended_at, updated_at }: BackupRun, now: number): boolean {
  return ended_at === null && updated_at > now - INTERRUPTED_AFTER
}

/** Whether a run has completed what it was to do. */
export function isDone({ ended_at, blobs }: BackupRun): boolean {
  return ended_at !== null && blobs !== null
}

/** Returns the last run of a kind that was completed. */
export function findLastDone(db: Database, kind: BackupRun['kind']): Promise<BackupRun | undefined> {
  return db
    .selectFrom('backup_runs')
    .selectAll()
    .where('kind', '=', kind)
    .where('ended_at', 'is not', null)
    .where('blobs', 'is not', null)
    .orderBy('began_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Records a run that couldn't even begin. */
export async function noteFailedStart(
  { db, clock }: Recording,
  { kind, folder, error }: Pick<BackupRun, 'kind' | 'folder'> & { error: string },
): Promise<void> {
  const now = clock.now()
  await db
    .insertInto('backup_runs')
    .values({
      ...{ id: randomUUID(), kind, folder, server: hostname(), error },
      ...{ began_at: now, updated_at: now, ended_at: now, done_bytes: 0 },
    })
    .execute()
}
