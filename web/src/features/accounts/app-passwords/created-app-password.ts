/** A new app password, which the server returns only once. */
export interface CreatedAppPassword {
  readonly secret: string
  /** The user name that belongs to it. */
  readonly user: string
}

/** Returns the address that apps connect to. */
export function davAddress(): string {
  return `${window.location.origin}/dav/`
}
