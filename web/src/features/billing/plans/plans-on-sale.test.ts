import { expect, test } from 'vitest'
import { findOnSale, type PlansOnSale, plansToShow } from './plans-on-sale.ts'

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
  Annually: [plan(0, '10 GB'), plan(5, 'Everything'), plan(6, '5 TB')],
  Lifetime: [],
}

test('sorts plans by size, with a terabyte of 1024 gigabytes', () => {
  expect(plansToShow(plans, 'Monthly').map(({ tier }) => tier)).toEqual(['500 GB', '1023 GB', '1 TB', '2 TB'])
})

test('leaves out the free plan, and sorts a tier of unknown size last', () => {
  expect(plansToShow(plans, 'Annually').map(({ planId }) => planId)).toEqual([6, 5])
  expect(plansToShow(plans, 'Lifetime')).toEqual([])
})

test('finds a plan with its billing period', () => {
  expect(findOnSale(plans, 6)).toMatchObject({ tier: '5 TB', period: 'Annually' })
  expect(findOnSale(plans, 99)).toBeUndefined()
  expect(findOnSale(plans, undefined)).toBeUndefined()
  expect(findOnSale(undefined, 6)).toBeUndefined()
})
