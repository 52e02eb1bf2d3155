import type { ErrorBody } from '@alcove/contract/errors'
import { MAX_FAILED_LISTED } from '@alcove/contract/limits'
import { AppError } from '../../../errors.ts'

/** An item that stands in the way of a bulk change, and why. */
export interface Failure {
  itemId: string
  name?: string
  refusal: AppError
}

/** Refuses a bulk change as a whole when anything stands in its way; what is not there comes first. */
export function assertNoFailures(failures: readonly Failure[]): void {
  const decisive = failures.find(({ refusal }) => refusal.code === 'not_found') ?? failures[0]
  if (!decisive) return
  const { code, message } = decisive.refusal
  const others = failures.length - 1
  throw new AppError(
    code,
    others === 0 ? message : `${message} ${describeOthers(others)} stood in the way too. Nothing was changed.`,
    { failed: failures.slice(0, MAX_FAILED_LISTED).map(presentFailure) },
  )
}

function describeOthers(count: number): string {
  return count === 1 ? 'Another item' : `${count} other items`
}

function presentFailure({ itemId, name, refusal }: Failure): NonNullable<ErrorBody['failed']>[number] {
  return { itemId, ...(name !== undefined && { name }), code: refusal.code, error: refusal.message }
}

/** What a bulk change answers: `3 items restored.` and their ids. */
export function presentChanged(itemIds: string[], done: string): { message: string; count: number; itemIds: string[] } {
  const count = itemIds.length
  return { message: `${count} ${count === 1 ? 'item' : 'items'} ${done}.`, count, itemIds }
}
