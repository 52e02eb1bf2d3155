import type { UploadedFile } from '@alcove/contract/uploads'
import type { SessionUser, UserContext } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { explainToMember } from '../../../platform/http/members.ts'

/** Returns a file as the visitor sent it, without what would tell about the folder: where it is, and its name there. */
export function presentForVisitors(file: UploadedFile, sent: { id: string; filename: string }): UploadedFile {
  const { thinnedBytes: _thinned, ...others } = file
  return {
    ...others,
    id: sent.id,
    filename: sent.filename,
    name: sent.filename,
    folder_id: null,
    isShared: false,
    isFavorite: false,
  }
}

/** Runs an operation. Errors that would tell a visitor about the owner tell only what the visitor can do. */
export function forVisitors<Input, Result>(
  operation: (ctx: UserContext, input: Input) => Promise<Result>,
): (ctx: UserContext, input: Input) => Promise<Result> {
  return async (ctx, input) => {
    try {
      return await operation(ctx, input)
    } catch (error) {
      throw hideOwner(ctx.user, error)
    }
  }
}

/** Returns an error without what it tells about the owner, if a visitor or a member of a shared folder gets it. */
export function hideOwner({ submission, member }: SessionUser, error: unknown): unknown {
  if (member) return explainToMember(error)
  if (!submission || !(error instanceof AppError)) return error
  const { code } = error
  if (code === 'quota_exceeded' || code === 'item_limit') {
    return new AppError(
      'quota_exceeded',
      'The owner’s storage is full, so nothing more can be sent now. Tell the person who sent you the link.',
    )
  }
  if (code === 'name_taken')
    return new AppError('name_taken', 'A file and a folder that you sent have the same name. Rename one of them.')
  if (code === 'locked') return new AppError('locked', 'This folder can’t get files right now. Try again later.')
  if (code === 'plan_required') return new AppError('forbidden', 'This link can’t get files right now.')
  return error
}
