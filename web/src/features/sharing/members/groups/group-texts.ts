import type { Group } from '@alcove/contract/groups'
import { formatCount } from '../../../../lib/format.ts'

/** Says how many people are in a group, and which sign-in provider it comes from. */
export function describeGroup({ peopleCount, provider }: Pick<Group, 'peopleCount' | 'provider'>): string {
  const people = peopleCount === 1 ? '1 person' : `${formatCount(peopleCount)} people`
  return provider === null ? people : `${provider}, ${people}`
}
