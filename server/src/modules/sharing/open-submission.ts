import { calls } from '@alcove/contract/calls'
import { UPLOAD_TTL } from '@alcove/contract/limits'
import { findNameProblem } from '@alcove/contract/names'
import type { Services } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { endpoint } from '../../platform/http/api.ts'
import { createSubmissionSecret } from '../../platform/http/submissions.ts'
import { orderedId } from '../../platform/ordered-id.ts'
import { linkNotFound, openLink } from './open-link.ts'

const NAME_MISSING = 'Enter your name, so that the owner knows who sent the files.'

/** Begins what a visitor sends. Nothing appears in the owner's folder before the first file does. */
export const openSubmission = endpoint(calls.openSubmission, async (ctx, { token, access, visitorName }) => {
  const { link } = await openLink(ctx, token, access)
  if (link.permission !== 'upload' && link.permission !== 'view-upload') throw linkNotFound()
  const name = link.visitor_name === 'none' ? undefined : toFolderName(visitorName)
  if (link.visitor_name === 'required' && !name) throw new AppError('malformed', NAME_MISSING)
  const { secret, hash } = createSubmissionSecret()
  await ctx.db
    .insertInto('submissions')
    .values({
      ...{ id: orderedId(), link_id: link.id, secret_hash: hash, link_password: link.password_hash },
      ...{ visitor_name: name ?? null, created_at: ctx.clock.now(), last_at: null },
    })
    .execute()
  return { secret }
})

/** Forgets submissions through which nothing came, once none of their uploads can be going on. */
export async function sweepSubmissions({ db, clock }: Services): Promise<void> {
  await db
    .deleteFrom('submissions')
    .where('files', '=', 0)
    .where('created_at', '<', clock.now() - 2 * UPLOAD_TTL)
    .where((eb) =>
      eb.not(eb.exists(eb.selectFrom('uploads').select('id').whereRef('submission_id', '=', 'submissions.id'))),
    )
    .execute()
}

/** Returns a visitor's name as a folder can have it, or undefined if nothing is left of it. */
function toFolderName(typed: string | undefined): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain control characters
  const visible = typed?.replace(/[/\u0000-\u001f\u007f-\u009f]+/g, '-')
  // Direction marks would make a name look like another one.
  const name = visible?.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '').trim()
  return name && findNameProblem(name, '') === undefined ? name : undefined
}
