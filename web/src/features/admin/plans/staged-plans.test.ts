import type { AdminPlan } from '@alcove/contract/admin-plans'
import { type BillingPeriod, planNameOf, tierOf } from '@alcove/contract/plans'
import { expect, test } from 'vitest'
import {
  addPlan,
  editPlan,
  inputOf,
  isChanged,
  isReplaced,
  movePlan,
  removePlan,
  type StagedPlans,
  stage,
} from './staged-plans.ts'

function plan(planId: number, period: BillingPeriod, gigabytes: number, highlight = false): AdminPlan {
  const tier = tierOf(gigabytes)
  return {
    planId,
    period,
    name: null,
    tier,
    gigabytes,
    price: 9.99,
    description: 'Usual.',
    ownDescription: null,
    highlight,
    planName: planNameOf({ tier, period }),
    subscribers: 3,
  }
}

const plans = [
  plan(1, 'Monthly', 100),
  plan(2, 'Monthly', 500, true),
  plan(3, 'Monthly', 2048),
  plan(4, 'Annually', 100),
]
const staged = stage(plans)
const content = { name: null, gigabytes: 100, price: 9.99, description: null, highlight: false }
const idsOf = (list: StagedPlans) => inputOf(list).map(({ planId }) => planId)

test('moves a plan among those of its billing period, and not beyond them', () => {
  expect(idsOf(movePlan(staged, '3', -1))).toEqual([1, 3, 2, 4])
  expect(idsOf(movePlan(staged, '3', 1))).toEqual([1, 2, 3, 4])
  expect(idsOf(movePlan(staged, '4', -1))).toEqual([1, 2, 3, 4])
})

test('moves a plan past plans of other periods that stand between', () => {
  const mixed = stage([plan(1, 'Monthly', 100), plan(4, 'Annually', 100), plan(2, 'Monthly', 500)])
  expect(idsOf(movePlan(mixed, '1', 1))).toEqual([2, 4, 1])
})

test('keeps a removed plan in sight until it is saved, but not one that was never saved', () => {
  const removed = removePlan(staged, '2')
  expect(removed).toHaveLength(4)
  expect(idsOf(removed)).toEqual([1, 3, 4])
  expect(removePlan(removed, '2', false)).toEqual(staged)
  const added = addPlan(staged, 'new', 'Lifetime', content)
  expect(idsOf(added)).toEqual([1, 2, 3, 4, undefined])
  expect(removePlan(added, 'new')).toEqual(staged)
})

test('highlights at most one plan of a billing period', () => {
  const edited = editPlan(staged, '3', { ...content, highlight: true })
  expect(inputOf(edited).map(({ highlight }) => highlight)).toEqual([false, false, true, false])
  const added = addPlan(staged, 'new', 'Annually', { ...content, highlight: true })
  expect(inputOf(added).map(({ highlight }) => highlight)).toEqual([false, true, false, false, true])
})

test('has no changes left once they are taken back', () => {
  const edited = editPlan(staged, '1', { ...content, price: 4 })
  expect(isChanged(edited, plans)).toBe(true)
  expect(isChanged(editPlan(edited, '1', content), plans)).toBe(false)
  expect(isChanged(movePlan(staged, '1', 1), plans)).toBe(true)
  expect(isChanged(movePlan(movePlan(staged, '1', 1), '1', -1), plans)).toBe(false)
})

test('replaces a plan only if what was sold changes', () => {
  const saved = plan(1, 'Monthly', 100)
  expect(isReplaced({ ...content, saved })).toBe(false)
  for (const change of [{ name: 'Small' }, { gigabytes: 200 }, { price: 1 }])
    expect(isReplaced({ ...content, ...change, saved })).toBe(true)
  expect(isReplaced({ ...content, price: 1, saved: undefined })).toBe(false)
})
