/** What an app needs to connect. */
export interface Connection {
  /** The address, with a slash at its end: `https://cloud.example.com/dav/`. */
  readonly address: string
  readonly user: string
  /** The app password, or the text that stands for it. */
  readonly password: string
}

/** Stands for the app password until there is one. */
export const PASSWORD_PLACEHOLDER = 'YOUR-APP-PASSWORD'

/** Returns whether a password that is sent to an address could be read on the way. */
export function isInsecure(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !/^(localhost|(.+\.)?localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Returns the parts of an address, for apps that have a field for each. */
export function partsOf(address: string) {
  const { protocol, hostname, port, pathname, host } = new URL(address)
  const isSecure = protocol === 'https:'
  return {
    isSecure,
    hostname,
    port: port || (isSecure ? '443' : '80'),
    path: pathname,
    /** Without the scheme, and without the slash at the end. */
    bare: `${host}${pathname.replace(/\/$/, '')}`,
  }
}

/** Quotes a word for a POSIX shell if it needs that. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
