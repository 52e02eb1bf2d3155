import { useLocation } from 'react-router'
import { isPaid, useSession } from '../../api/session.ts'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import styles from './NowPlayingPlace.module.css'

const part = lazyModule(() => import('../../features/media/NowPlaying.tsx'))

/** Where the small player shows, on every screen but Music's own, once there is something to be gone on with. */
export function NowPlayingPlace() {
  const session = useSession()
  const { pathname } = useLocation()
  const isWanted = session.player !== undefined && isPaid(session) && pathname !== '/music'
  const loaded = useLazyModule(part, isWanted)
  if (!isWanted) return null
  return <div className={styles.place}>{loaded && <loaded.NowPlaying />}</div>
}
