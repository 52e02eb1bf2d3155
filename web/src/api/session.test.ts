import '../lib/testing/browser-globals.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { getSession, onSessionChange, onUserChange, rememberPlan, updateSession } from './session.ts'

const paid = { planId: 7, planName: '2 TB Annually' }

/** Returns a token as the server signs it, without its signature. */
const tokenOf = (userId: string, session = 1) => `.${btoa(JSON.stringify({ sub: userId, session }))}.`

beforeEach(() => updateSession({ token: 'mara', planId: 0, planName: 'free' }))

test('stores the plan from a response of the server', () => {
  rememberPlan(paid, 'mara')
  expect(getSession()).toMatchObject(paid)
})

test('ignores the plan from a response for the user who was signed in before', () => {
  rememberPlan(paid, 'noor')
  rememberPlan(paid, undefined)
  expect(getSession()).toMatchObject({ planId: 0, planName: 'free' })
})

test('a new sign-in of the same user changes the session but not the user, and neither does a new address', () => {
  updateSession({ token: tokenOf('mara'), email: 'mara@example.com' })
  const [onSession, onUser] = [vi.fn(), vi.fn()]
  onSessionChange(onSession)
  onUserChange(onUser)
  updateSession({ token: tokenOf('mara', 2) })
  expect(onSession).toHaveBeenCalledOnce()
  updateSession({ email: 'mara@example.org' })
  expect(getSession().userId).toBe('mara')
  expect(onUser).not.toHaveBeenCalled()
  updateSession({ planName: paid.planName })
  expect(onSession).toHaveBeenCalledOnce()
  updateSession({ token: tokenOf('noor'), email: 'noor@example.com' })
  expect(onUser).toHaveBeenCalledOnce()
  updateSession({ token: undefined })
  expect(onSession).toHaveBeenCalledTimes(3)
  expect(onUser).toHaveBeenCalledTimes(2)
})

test('a token that names no user belongs to nobody', () => {
  for (const token of ['mara', '.mara.', `.${btoa('null')}.`]) {
    updateSession({ token })
    expect(getSession()).toMatchObject({ token, userId: undefined })
  }
})
