import type { BillingPeriod } from '@alcove/contract/plans'
import { expect, test } from 'vitest'
import { describeChange, describeCurrent, verbOf } from './describe-change.ts'

const GB = 1024 ** 3
const plan = (tier: string, period: BillingPeriod) => ({
  planId: 1,
  tier,
  period,
  price: 1,
  description: '',
  features: [],
  highlight: false,
})

test('prorates another subscription, and starts a new billing period only if its length differs', () => {
  const from = describeCurrent(plan('500 GB', 'Annually'), '')
  const same = describeChange({ from, to: plan('2 TB', 'Annually'), usedBytes: 0 })
  expect(same.join(' ')).toContain('The date of your next payment stays the same.')
  expect(same.join(' ')).toContain('prorated')
  const other = describeChange({ from, to: plan('2 TB', 'Monthly'), usedBytes: 0 })
  expect(other.join(' ')).toContain('a new billing period starts today')
  expect(verbOf({ from, to: plan('2 TB', 'Monthly'), usedBytes: 0 })).toBe('Change Plan')
})

test('charges a lifetime plan on the next page, which ends the subscription', () => {
  const change = { from: describeCurrent(plan('500 GB', 'Annually'), ''), to: plan('2 TB', 'Lifetime'), usedBytes: 0 }
  expect(describeChange(change).join(' ')).toContain('Your subscription then ends')
  expect(verbOf(change)).toBe('Continue to Payment')
})

test('names the usage that exceeds the new plan', () => {
  const change = {
    from: describeCurrent(plan('2 TB', 'Annually'), ''),
    to: plan('100 GB', 'Annually'),
    usedBytes: 512 * GB,
  }
  expect(describeChange(change).at(-1)).toBe(
    'You use 512 GB. Nothing is deleted, but you can’t upload while you use more than 100 GB.',
  )
  expect(describeChange({ ...change, usedBytes: 100 * GB })).toHaveLength(2)
})

test('reads the billing period of a plan that is no longer sold from its name', () => {
  const from = describeCurrent(undefined, 'Studio Annually Lifetime')
  expect(from).toEqual({ planName: 'Studio Annually Lifetime', period: 'Lifetime' })
  const change = { from, to: plan('2 TB', 'Annually'), usedBytes: undefined }
  expect(describeChange(change).join(' ')).toContain('You keep your current plan as well')
  expect(verbOf(change)).toBe('Continue to Payment')
})

test('describes a change without knowing the plans', () => {
  expect(describeCurrent(undefined, 'free')).toBeUndefined()
  expect(describeChange({ from: undefined, to: plan('2 TB', 'Annually'), usedBytes: undefined })).toHaveLength(2)
  expect(describeChange({ from: undefined, to: undefined, usedBytes: 0 })).toHaveLength(2)
})
