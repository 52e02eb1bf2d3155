import type { Member, SharedFolder } from '@alcove/contract/members'
import { type Role, roles } from '@alcove/contract/roles'

const texts: Record<Role, { readonly name: string; readonly can: string; readonly youCan: string }> = {
  viewer: { name: 'Viewer', can: 'can view and download', youCan: 'You can view and download.' },
  contributor: { name: 'Contributor', can: 'can also add', youCan: 'You can view, download and add.' },
  editor: { name: 'Editor', can: 'can also change and delete', youCan: 'You can add, change and delete.' },
  manager: {
    name: 'Manager',
    can: 'can also invite',
    youCan: 'You can add, change and delete, and invite people.',
  },
}

/** The roles with what each adds to those before it. */
export const roleChoices = roles.map((role) => ({ value: role, label: `${texts[role].name}: ${texts[role].can}` }))

/** The same without the explanations, for the narrow rows of members. */
export const roleNames = roles.map((role) => ({ value: role, label: texts[role].name }))

export const nameOfRole = (role: Role): string => texts[role].name

/** Returns what the user may do as a member with this role. */
export const describeOwnRole = (role: Role): string => texts[role].youCan

type Person = Pick<Member, 'email' | 'displayName'>

export const nameOfPerson = ({ email, displayName }: Person): string => displayName || email

/** The highest number of items that the server counts. */
const COUNTED = 1000

/** Returns how many items are in a shared folder. */
export function describeCount({ itemCount }: SharedFolder): string {
  if (itemCount > COUNTED) return `more than ${COUNTED.toLocaleString('en')} items`
  return itemCount === 1 ? '1 item' : `${itemCount} items`
}
