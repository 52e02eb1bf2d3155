import '../lib/testing/browser-globals.ts'
import { GIGABYTE } from '@alcove/contract/limits'
import { expect, test } from 'vitest'
import { bytesOf, findOnSale, largestOnSale, type PlansOnSale, plansToShow } from './plans-on-sale.ts'

const plan = (planId: number, tier: string) => ({
  planId,
  tier,
  price: 1,
  description: '',
  features: [],
  highlight: false,
})

const plans: PlansOnSale = {
  Monthly: [plan(1, '2 TB'), plan(2, '500 GB'), plan(3, '1 TB'), plan(4, '1023 GB')],
  Annually: [plan(0, '10 GB'), plan(6, '5 TB')],
  Lifetime: [],
}

test('keeps the order of the server, and leaves out the free plan', () => {
  expect(plansToShow(plans, 'Monthly').map(({ planId }) => planId)).toEqual([1, 2, 3, 4])
  expect(plansToShow(plans, 'Annually').map(({ planId }) => planId)).toEqual([6])
  expect(plansToShow(plans, 'Lifetime')).toEqual([])
})

test('finds the largest plan, with a terabyte of 1024 gigabytes', () => {
  expect(largestOnSale(plans)).toBe(5 * 1024 * GIGABYTE)
  expect(bytesOf({ tier: '1 TB' })).toBeGreaterThan(bytesOf({ tier: '1023 GB' }))
  expect(bytesOf({ tier: 'Everything' })).toBe(Number.POSITIVE_INFINITY)
  expect(largestOnSale({ Monthly: [], Annually: [], Lifetime: [] })).toBe(0)
})

test('finds a plan with its billing period', () => {
  expect(findOnSale(plans, 6)).toMatchObject({ tier: '5 TB', period: 'Annually' })
  expect(findOnSale(plans, 99)).toBeUndefined()
  expect(findOnSale(plans, undefined)).toBeUndefined()
  expect(findOnSale(undefined, 6)).toBeUndefined()
})
