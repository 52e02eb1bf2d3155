/** What a member of a shared folder may do. Each role includes those before it. */
export const roles = ['viewer', 'contributor', 'editor', 'manager'] as const
export type Role = (typeof roles)[number]

/** Returns the roles that may do what needs at least this one. */
export function rolesFrom(least: Role): Role[] {
  return roles.slice(roles.indexOf(least))
}

/** Returns whether a role suffices for what needs at least another one. */
export function suffices(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}
