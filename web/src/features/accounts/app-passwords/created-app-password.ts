import { createStore } from '../../../lib/store.ts'

/** A new app password, which the server returns only once. */
export interface CreatedAppPassword {
  readonly secret: string
  /** The user name that belongs to it. */
  readonly user: string
}

/**
 * The app password that the page "Connect an app" fills into its instructions. It is only in memory, and forgotten when the
 * user leaves that page.
 */
export const createdAppPassword = createStore<CreatedAppPassword | undefined>(undefined)

/** The path of that page. */
export const CONNECT_APP = '/connect-app'

/** Returns the address that apps connect to. */
export function davAddress(): string {
  return `${window.location.origin}/dav/`
}
