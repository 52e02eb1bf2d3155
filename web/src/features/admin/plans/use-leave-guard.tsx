import { IconAlertTriangle } from '@tabler/icons-react'
import { useContext, useEffect } from 'react'
import { type Blocker, UNSAFE_DataRouterContext } from 'react-router'
import { getSession } from '../../../api/session.ts'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { navigateFromPage } from '../../../ui/dialogs/overlay-history.ts'

type Blocked = Extract<Blocker, { state: 'blocked' }>

const KEY = 'unsaved-plans'

/**
 * Asks before the page is left while it has changes that aren't saved. Who signs out isn't asked.
 *
 * SURPRISE: this uses the router itself instead of `useBlocker`, which would be in the scripts of the first screen.
 */
export function useLeaveGuard(isDirty: boolean): void {
  const router = useContext(UNSAFE_DataRouterContext)?.router
  useEffect(() => {
    if (!isDirty || !router) return
    let asked: Blocker | undefined
    router.getBlocker(
      KEY,
      ({ currentLocation, nextLocation }) =>
        getSession().token !== undefined && currentLocation.pathname !== nextLocation.pathname,
    )
    const unsubscribe = router.subscribe(({ blockers, location }) => {
      const blocker = blockers.get(KEY)
      if (blocker?.state !== 'blocked' || blocker === asked) return
      asked = blocker
      void askToLeave(blocker, location.pathname)
    })
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => {
      window.removeEventListener('beforeunload', warn)
      unsubscribe()
      router.deleteBlocker(KEY)
    }
  }, [isDirty, router])
}

async function askToLeave(blocker: Blocked, pathname: string): Promise<void> {
  // Back has left the address by the time the router blocks that, and the router is on the way to it again. The dialog adds an
  // entry to the history, which would end the way there.
  await untilAt(pathname)
  const isWanted = await confirm({
    question: 'Leave without saving?',
    detail: 'Your changes to the plans are lost then.',
    verb: 'Leave',
    icon: <IconAlertTriangle size={20} stroke={1.75} />,
  })
  if (!isWanted) return blocker.reset()
  await navigateFromPage(() => {
    blocker.proceed()
    return untilAt(blocker.location.pathname)
  })
}

/** In milliseconds. */
const LONGEST_NAVIGATION = 1000
const BETWEEN_LOOKS = 10

/** Resolves when the browser is at an address, at the latest after a second. */
async function untilAt(pathname: string): Promise<void> {
  const end = Date.now() + LONGEST_NAVIGATION
  while (window.location.pathname !== pathname && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS))
}
