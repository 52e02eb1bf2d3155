import { statfs } from 'node:fs/promises'
import { calls } from '@alcove/contract/calls'
import { sql } from 'kysely'
import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { type Database, engineOf } from '../../../platform/db/database.ts'
import { formatTime } from '../../../platform/format.ts'
import { endpoint } from '../../../platform/http/api.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'
import { isRoundOpen, isScrubRunning, readScrub, requestScrub } from '../../storage/index.ts'
import { readDamaged } from './damaged-owners.ts'
import { dayOf } from './sample-storage.ts'

const DAY = 24 * 3_600_000
const SAMPLED_DAYS = 30
const LARGEST = 10

const getAdminStorage = endpoint(calls.getAdminStorage, async (ctx) => {
  const { db, config } = ctx
  const { bavail, blocks, bsize } = await statfs(config.dataDir)
  const totals = await readTotals(db)
  return {
    store: config.s3
      ? { kind: 's3' as const, place: config.s3.bucket, endpoint: config.s3.endpoint }
      : { kind: 'disk' as const, place: config.dataDir, endpoint: null },
    disk: { freeBytes: bavail * bsize, totalBytes: blocks * bsize },
    databaseBytes: await readDatabaseSize(ctx),
    ...totals,
    ...(await readGrowth(ctx, totals.usedBytes)),
    largestUsers: await listLargestUsers(db),
    waitingForRemoval: await readWaiting(db),
    damaged: await readDamaged(db),
    scrub: await describeScrub(ctx),
  }
})

async function readTotals(db: Database) {
  const { users, used, versions } = await db
    .selectFrom('users')
    .select((eb) => [
      eb.fn.countAll<number>().as('users'),
      eb.fn.sum<number | string | null>('used_bytes').as('used'),
      eb.fn.sum<number | string | null>('version_bytes').as('versions'),
    ])
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { users, usedBytes: Number(used ?? 0), versionBytes: Number(versions ?? 0) }
}

async function readDatabaseSize({ db, config }: Services): Promise<number> {
  const query =
    engineOf(config) === 'postgres'
      ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      : sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
  const { rows } = await query.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}

async function readGrowth({ db, clock }: Services, usedBytes: number) {
  const today = dayOf(clock.now())
  const rows = await db
    .selectFrom('storage_samples')
    .select(['day', 'used_bytes', 'blob_bytes'])
    .where('day', '>=', dayOf(clock.now() - SAMPLED_DAYS * DAY))
    .orderBy('day')
    .execute()
  const first = rows.find(({ day }) => day < today)
  return {
    growth: first ? { since: first.day, bytes: usedBytes - first.used_bytes } : null,
    samples: rows.map(({ day, used_bytes }) => ({ day, usedBytes: used_bytes })),
    blobBytes: rows.at(-1)?.blob_bytes ?? null,
  }
}

async function listLargestUsers(db: Database) {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email', 'used_bytes', 'allocated_bytes'])
    .where('deleted_at', 'is', null)
    .where('used_bytes', '>', 0)
    .orderBy('used_bytes', 'desc')
    .orderBy('id')
    .limit(LARGEST)
    .execute()
  return rows.map(({ id, email, used_bytes, allocated_bytes }) => ({
    id,
    email,
    usedBytes: used_bytes,
    allocatedBytes: allocated_bytes,
  }))
}

async function readWaiting(db: Database) {
  const { blobs, bytes } = await db
    .selectFrom('blob_removals')
    .leftJoin('blobs', 'blobs.key', 'blob_removals.blob_key')
    .select((eb) => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | string | null>('blobs.size').as('bytes')])
    .executeTakeFirstOrThrow()
  return { blobs, bytes: Number(bytes ?? 0) }
}

async function describeScrub(services: Services) {
  const state = await readScrub(services.db)
  const { bytes_left, round_bytes, round_began_at, round_ended_at } = state
  const isOpen = isRoundOpen(state)
  const isRunning = await isScrubRunning(services)
  return {
    state: isRunning ? ('running' as const) : isOpen ? ('waiting' as const) : ('idle' as const),
    progress: isOpen && round_bytes ? Math.min(1, Math.max(0, 1 - bytes_left / round_bytes)) : null,
    beganAt: round_began_at === null ? null : formatTime(round_began_at),
    endedAt: round_ended_at === null ? null : formatTime(round_ended_at),
  }
}

const startScrub = endpoint(calls.startScrub, async (ctx) => {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await requestScrub(ctx, tx))) throw new AppError('state_conflict', 'A check is under way already.')
    await noteAudit(ctx, tx, actorOf(ctx), { action: 'storage.check' })
  })
  return { message: 'The check begins within a minute.' }
})

export const storageEndpoints = [getAdminStorage, startScrub]
