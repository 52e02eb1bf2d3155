import { useLocation } from 'react-router'
import { later, useLater } from '../lib/later.ts'
import { isPaid, useSession } from '../lib/session.ts'

const part = later(() => import('../features/media/NowPlaying.tsx'))

/** Where the small player shows, on every screen but Music's own, once there is something to be gone on with. */
export function NowPlayingPlace() {
  const session = useSession()
  const { pathname } = useLocation()
  const isWanted = session.player !== undefined && isPaid(session) && pathname !== '/music'
  const loaded = useLater(part, isWanted)
  return isWanted && loaded ? <loaded.NowPlaying /> : null
}
