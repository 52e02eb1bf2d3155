import '../lib/testing/browser-globals.ts'
import { beforeEach, expect, test } from 'vitest'
import { rememberPlan } from './remember-plan.ts'
import { getSession, updateSession } from './session.ts'

const paid = { planId: 7, planName: '2 TB Annually' }

beforeEach(() => updateSession({ token: 'mara', planId: 0, planName: 'free' }))

test('what the server says of the plan is stored', () => {
  rememberPlan(paid, 'mara')
  expect(getSession()).toMatchObject(paid)
})

test('an answer for whoever was signed in before is not', () => {
  rememberPlan(paid, 'noor')
  rememberPlan(paid, undefined)
  expect(getSession()).toMatchObject({ planId: 0, planName: 'free' })
})
