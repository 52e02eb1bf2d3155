import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useBlocker, useLocation } from 'react-router'
import { getSession } from '../../../api/session.ts'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { navigateFromPage } from '../../../ui/dialogs/overlay-history.ts'

/** Asks before the page is left while it has changes that aren't saved. Who signs out isn't asked. */
export function useLeaveGuard(isDirty: boolean): void {
  const { pathname } = useLocation()
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty && getSession().token !== undefined && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (blocker.state === 'blocked') void askToLeave(blocker, pathname)
  }, [blocker, pathname])
  useEffect(() => {
    if (!isDirty) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isDirty])
}

type Blocked = Extract<ReturnType<typeof useBlocker>, { state: 'blocked' }>

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
