import type { ListedUser } from '@alcove/contract/admin-users'
import type { UserSort, UserState } from '@alcove/contract/user-states'
import { formatDay, formatSize } from '../../../lib/format.ts'

export const stateNames: Readonly<Record<UserState, string>> = {
  active: 'Active',
  unconfirmed: 'Not confirmed',
  suspended: 'Suspended',
  deletion: 'Will be deleted',
}

/** The orders of the list, as the user chooses them. */
export const orders = [
  { value: 'email asc', label: 'By address' },
  { value: 'usedBytes desc', label: 'Most space first' },
  { value: 'createdAt desc', label: 'Newest first' },
  { value: 'createdAt asc', label: 'Oldest first' },
  { value: 'lastSeenAt desc', label: 'Recently seen first' },
  { value: 'lastSeenAt asc', label: 'Recently seen last' },
] as const satisfies readonly { value: `${UserSort} ${'asc' | 'desc'}`; label: string }[]
export type UserOrder = (typeof orders)[number]['value']

export function describeState({ state, deletionDueAt }: ListedUser): string {
  return deletionDueAt === null ? stateNames[state] : `Will be deleted ${formatDay(deletionDueAt)}`
}

export function describeUsage({ usedBytes, quota }: ListedUser): string {
  return `${formatSize(usedBytes)} of ${formatSize(quota)}`
}

export function describeSeen({ lastSeenAt }: ListedUser): string {
  return lastSeenAt === null ? 'Never seen' : `Seen ${formatDay(lastSeenAt)}`
}

/** The free plan has no name of its own on the screen. */
export function nameOfPlan(planName: string): string {
  return planName === 'free' ? 'Free' : planName
}
