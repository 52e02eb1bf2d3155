import '../lib/testing/browser-globals.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import { getSession, onSessionChange, onUserChange, rememberPlan, updateSession } from './session.ts'

const paid = { planId: 7, planName: '2 TB Annually' }

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

test('a new sign-in of the same user changes the session but not the user', () => {
  updateSession({ email: 'mara@example.com' })
  const [onSession, onUser] = [vi.fn(), vi.fn()]
  onSessionChange(onSession)
  onUserChange(onUser)
  updateSession({ token: 'mara again' })
  expect(onSession).toHaveBeenCalledOnce()
  expect(onUser).not.toHaveBeenCalled()
  updateSession({ planName: paid.planName })
  expect(onSession).toHaveBeenCalledOnce()
  updateSession({ token: 'noor', email: 'noor@example.com' })
  expect(onUser).toHaveBeenCalledOnce()
  updateSession({ token: undefined })
  expect(onSession).toHaveBeenCalledTimes(3)
  expect(onUser).toHaveBeenCalledTimes(2)
})
