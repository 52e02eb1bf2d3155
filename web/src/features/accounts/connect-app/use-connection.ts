import { useEffect } from 'react'
import { useSession } from '../../../api/session.ts'
import { useStore } from '../../../lib/store.ts'
import { CONNECT_APP, createdAppPassword, davAddress, MOVE_IN } from '../app-passwords/created-app-password.ts'
import { type Connection, PASSWORD_PLACEHOLDER } from './connection.ts'

/** The pages whose instructions contain a new app password. */
const PAGES = [CONNECT_APP, MOVE_IN]

/** Returns what an app needs to connect. `secret` is the new app password, which is forgotten when the user leaves these pages. */
export function useConnection(): { connection: Connection; secret: string | undefined } {
  const { email = '' } = useSession()
  const created = useStore(createdAppPassword)
  // Another user may have signed in meanwhile.
  const secret = created?.user === email ? created.secret : undefined
  useEffect(
    () => () => {
      // React's strict mode runs this without leaving.
      if (!PAGES.includes(window.location.pathname)) createdAppPassword.set(undefined)
    },
    [],
  )
  return { connection: { address: davAddress(), user: email, password: secret ?? PASSWORD_PLACEHOLDER }, secret }
}
