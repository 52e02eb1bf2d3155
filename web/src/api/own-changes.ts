import { createStore } from '../lib/store.ts'
import { getSession, onUserChange } from './session.ts'

/** The response header with the versions of the user's files before and after each change that the request has made. */
const CHANGED = 'alcove-changed'
/** Events come within seconds, so more versions than these wait only if there are none. */
const MAX_STEPS = 1_000

/** How many changes show already but have no response yet. */
export const changesUnderWay = createStore(0)

interface Steps {
  readonly user: string
  readonly steps: readonly (readonly [from: string, to: string])[]
}

/** The changes of this browser, by the version before each. The tabs tell each other what their changes have made stale. */
const own = new Map<string, string>()

// Pages are also rendered at build time, where there are no tabs.
const channel =
  typeof document === 'undefined' || typeof BroadcastChannel === 'undefined'
    ? undefined
    : new BroadcastChannel('alcove-own-changes')
channel?.addEventListener('message', ({ data: { user, steps } }: MessageEvent<Steps>) => {
  if (user === getSession().userId) remember(steps)
})
onUserChange(() => own.clear())

/** Notes the changes that a response names, in this tab and the user's others. */
export function noteOwnChanges(readHeader: (name: string) => string | null): void {
  const header = readHeader(CHANGED)
  const user = getSession().userId
  if (!header || !user) return
  const steps = header.split(', ').map((step) => step.split(' ') as [string, string])
  remember(steps)
  channel?.postMessage({ user, steps } satisfies Steps)
}

function remember(steps: Steps['steps']): void {
  if (own.size > MAX_STEPS) own.clear()
  for (const [from, to] of steps) own.set(from, to)
}

/** Returns whether only changes of this browser lead from one version to another. Forgets them if so. */
export function areOwnChanges(from: string | undefined, to: string): boolean {
  const passed: string[] = []
  for (let at = from; at !== undefined; at = own.get(at)) {
    if (at === to) {
      for (const version of passed) own.delete(version)
      return true
    }
    passed.push(at)
    if (passed.length > MAX_STEPS) return false
  }
  return false
}
