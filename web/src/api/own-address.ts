/**
 * An address that the server gave, within the origin that the page came from: the page's policy lets it fetch from no
 * other, and the server may be known by several names.
 */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url)
  return new URL(pathname + search, window.location.origin).href
}
