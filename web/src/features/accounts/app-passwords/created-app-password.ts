import { createStore } from '../../../lib/store.ts'

/** A new app password, which the server returns only once. */
export interface CreatedAppPassword {
  readonly secret: string
  /** The user name that belongs to it. */
  readonly user: string
}

/**
 * The app password that the pages "Connect an app" and "Move in" fill into their instructions. It is only in memory, and forgotten
 * when the user leaves them.
 */
export const createdAppPassword = createStore<CreatedAppPassword | undefined>(undefined)

/** The page that shows how to connect an app. */
export const CONNECT_APP = '/connect-app'
/** The page that shows how to move files here from elsewhere. */
export const MOVE_IN = '/move-in'

/** Returns the address that apps connect to. */
export function davAddress(): string {
  return `${window.location.origin}/dav/`
}
