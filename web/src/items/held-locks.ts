import type { ErrorBody } from '@alcove/contract/errors'
import { ApiError } from '../api/api.ts'

/** A lock of an item, held by an app. */
export type HeldLock = Pick<NonNullable<ErrorBody['locks']>[number], 'itemId' | 'name' | 'app'>

/** Returns the locks that prevented a change; none if it failed for another reason. */
export function locksOf(error: unknown): readonly HeldLock[] {
  return (error instanceof ApiError && error.body?.locks) || []
}
