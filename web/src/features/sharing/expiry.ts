/** Returns whether a link has expired. */
export function isExpired(expiresAt: string): boolean {
  return Date.parse(expiresAt) <= Date.now()
}
