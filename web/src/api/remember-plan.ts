import { getSession, updateSession } from './session.ts'

interface UsersPlan {
  readonly planId: number
  readonly planName: string
}

/**
 * Stores which plan the server says the user has. `token` is the one that was asked with: a response for whoever was
 * signed in before says nothing about who is now.
 */
export function rememberPlan({ planId, planName }: UsersPlan, token: string | undefined): void {
  const session = getSession()
  if (token === undefined || session.token !== token) return
  if (session.planId !== planId || session.planName !== planName) updateSession({ planId, planName })
}
