import { expect, test } from 'vitest'
import { freeStorage } from '../../lib/site.ts'
import { describeTrouble, detailsOf } from './subscription-details.ts'

const active = {
  plan: '2 TB Annually',
  planId: 7,
  status: 'active',
  billing_cycle: 'Annually',
  storage_limit_gb: 2048,
  price: 99.99,
  next_billing_date: '2027-03-14T12:00:00Z',
  cancelAtPeriodEnd: false,
  endsAt: null,
  graceUntil: null,
} as const

test('describes a subscription in six details', () => {
  const details = Object.fromEntries(detailsOf(active))
  expect(details).toMatchObject({ Plan: '2 TB Annually', 'Storage limit': '2048 GB', Price: '$99.99' })
  expect(details['Next billing date']).toMatch(/2027/)
})

test('has no next billing date when nothing more is charged', () => {
  expect(Object.fromEntries(detailsOf({ ...active, next_billing_date: null }))['Next billing date']).toBe('N/A')
  expect(Object.fromEntries(detailsOf({ ...active, status: 'past_due' })).Status).toBe('past due')
})

test('reports no trouble for an active subscription', () => {
  expect(describeTrouble(active)).toBeUndefined()
})

test('names the date of a scheduled end, and how to resume', () => {
  const text = describeTrouble({ ...active, cancelAtPeriodEnd: true, endsAt: '2027-03-14T12:00:00Z' })
  expect(text).toMatch(/2 TB Annually ends on .*2027.*free plan with .*resume/)
  expect(text).toContain(`with ${freeStorage}.`)
})

test('reports a failed payment first, with what to do', () => {
  const text = describeTrouble({
    ...active,
    status: 'past_due',
    cancelAtPeriodEnd: true,
    graceUntil: '2027-03-21T12:00:00Z',
  })
  expect(text).toMatch(/^Your last payment failed\. You keep 2 TB Annually until .*21.*Update your card/)
})
