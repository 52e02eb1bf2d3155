import { MINUTE } from '@alcove/contract/rate-limits'
import type { FastifyRequest } from 'fastify'
import { type SqlBool, sql } from 'kysely'
import type { Services, SessionUser } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { createOneTimeToken, hashOneTimeToken } from '../crypto/one-time-token.ts'
import type { Database } from '../db/database.ts'
import { isWorking } from '../db/working-links.ts'

const PREFIX = 'visit.'
const FAILURES = { points: 60, seconds: 15 * MINUTE }

/** Creates the secret by which a visitor sends files, and its hash, which is all that is stored. */
export function createSubmissionSecret(): { secret: string; hash: string } {
  const { token, hash } = createOneTimeToken()
  return { secret: `${PREFIX}${token}`, hash }
}

/** Returns whether a text has the form of such a secret, which no other token has. */
export function isSubmissionSecret(text: string): boolean {
  return text.startsWith(PREFIX)
}

/**
 * Returns the owner of a link as the user of a request that a visitor makes, limited to what the visitor may do. Throws 401 if the
 * secret is wrong, or if the link is disabled, has expired, doesn't allow uploads any more or has another password.
 */
export async function getSubmissionUser(
  services: Services,
  request: FastifyRequest,
  secret: string,
): Promise<SessionUser> {
  const { db, clock } = services
  const found = await working(db, clock.now())
    .select(['submissions.id', 'submissions.visitor_name', 'public_links.id as link_id', 'public_links.item_id'])
    .select(['folder_per_visitor', 'file_types', 'max_file_bytes'])
    .select(['users.id as user_id', 'users.email', 'users.plan_id', 'users.plan_name', 'users.activated_at'])
    .where('submissions.secret_hash', '=', hashOneTimeToken(secret.slice(PREFIX.length)))
    .executeTakeFirst()
  if (!found) {
    await services.rateLimits.consumeFrom('failed submissions', FAILURES, request.ip)
    throw new AppError('unauthenticated', 'This link no longer accepts files.')
  }
  return {
    id: found.user_id,
    sessionId: found.id,
    appPassword: { id: found.id, scope: 'upload', folderId: found.item_id },
    submission: {
      id: found.id,
      linkId: found.link_id,
      visitorName: found.visitor_name,
      folderName: found.folder_per_visitor === 1 ? (found.visitor_name ?? NAMELESS) : null,
      fileTypes: found.file_types === null ? [] : (JSON.parse(found.file_types) as string[]),
      maxFileBytes: found.max_file_bytes,
    },
    confirmedAt: 0,
    email: found.email,
    planId: found.plan_id,
    planName: found.plan_name,
    isActivated: found.activated_at !== null,
    driveRootId: found.item_id,
    vaultRootId: '',
  }
}

/** The folder of a visitor who gave no name. */
const NAMELESS = 'Visitor'

/** Returns whether a submission still works, for requests that take long. */
export async function isSubmissionOpen({ db, clock }: Pick<Services, 'db' | 'clock'>, id: string): Promise<boolean> {
  const found = await working(db, clock.now())
    .select('submissions.id')
    .where('submissions.id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}

function working(db: Database, now: number) {
  return db
    .selectFrom('submissions')
    .innerJoin('public_links', 'public_links.id', 'submissions.link_id')
    .innerJoin('items', 'items.id', 'public_links.item_id')
    .innerJoin('users', 'users.id', 'public_links.owner_id')
    .where(isWorking(now))
    .where('users.deleted_at', 'is', null)
    .where('users.suspended_at', 'is', null)
    .where('public_links.permission', 'in', ['upload', 'view-upload'])
    .where('items.trash_id', 'is', null)
    .where(sql<SqlBool>`coalesce(submissions.link_password, '') = coalesce(public_links.password_hash, '')`)
}
