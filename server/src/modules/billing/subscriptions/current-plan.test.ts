import { PAYMENT_GRACE } from '@alcove/contract/limits'
import { findPlan, type Plan } from '@alcove/contract/plans'
import { describe, expect, it } from 'vitest'
import { currentPlan } from './current-plan.ts'
import type { Owned, Subscribed, SubscriptionState } from './subscription-state.ts'
import { listSuperseded } from './sync-subscription.ts'

const NOW = Date.UTC(2026, 5, 1)

function plan(planId: number): Plan {
  return findPlan(planId) as Plan
}

function subscribed(planId: number, facts: Partial<Subscribed> = {}): Subscribed {
  return {
    id: 'sub_1',
    itemId: 'si_1',
    status: 'active',
    plan: plan(planId),
    priceInCents: 999,
    currency: 'usd',
    createdAt: NOW - 1000,
    periodEnd: NOW + 1000,
    endsAt: null,
    unpaidSince: null,
    endedFor: null,
    attemptId: undefined,
    ...facts,
  }
}

function owned(planId: number, boughtAt = NOW - 5000): Owned {
  return {
    paymentIntentId: `pi_${planId}`,
    plan: plan(planId),
    priceInCents: 9900,
    currency: 'usd',
    boughtAt,
    attemptId: undefined,
  }
}

function subscriptionState(subscriptions: Subscribed[], purchases: Owned[] = []): SubscriptionState {
  return { email: null, subscriptions, owned: purchases, invoices: [] }
}

describe('the plan of a user', () => {
  it.each([
    ['nothing', subscriptionState([]), null, 0, 'free'],
    ['a customer that was deleted', undefined, null, 0, 'free'],
    ['a subscription', subscriptionState([subscribed(3)]), null, 3, 'active'],
    ['one on trial', subscriptionState([subscribed(3, { status: 'trialing' })]), null, 3, 'active'],
    ['one that has ended', subscriptionState([subscribed(3, { status: 'canceled' })]), null, 0, 'free'],
    ['one that was never paid', subscriptionState([subscribed(3, { status: 'incomplete' })]), null, 0, 'incomplete'],
    ['one that is paused', subscriptionState([subscribed(3, { status: 'paused' })]), null, 0, 'free'],
    ['a purchase for good', subscriptionState([], [owned(11)]), null, 11, 'lifetime'],
    ['two of them: the larger', subscriptionState([], [owned(9), owned(11), owned(10)]), null, 11, 'lifetime'],
    ['a larger subscription on top', subscriptionState([subscribed(4)], [owned(9)]), null, 4, 'active'],
    ['a smaller one below', subscriptionState([subscribed(1)], [owned(11)]), null, 11, 'lifetime'],
    ['as large a one: what does not end', subscriptionState([subscribed(3)], [owned(11)]), null, 11, 'lifetime'],
    ['a plan that was given', subscriptionState([]), 8, 8, 'active'],
    ['one that was given, and a larger one paid for', subscriptionState([subscribed(4)]), 1, 4, 'active'],
    ['one that is given and not known any more', subscriptionState([]), 99, 0, 'free'],
  ] as const)('with %s', (_with, said, granted, planId, status) => {
    const current = currentPlan(said, granted, NOW)
    expect([current.plan?.planId ?? 0, current.status]).toEqual([planId, status])
  })

  it('stays for the time of grace when a payment is missing, and not a moment longer', () => {
    for (const status of ['past_due', 'unpaid'] as const) {
      const said = subscriptionState([subscribed(3, { status, unpaidSince: NOW })])
      const last = currentPlan(said, null, NOW + PAYMENT_GRACE - 1)
      expect([last.plan?.planId, last.status]).toEqual([3, 'past_due'])
      const after = currentPlan(said, null, NOW + PAYMENT_GRACE)
      expect([after.plan, after.status]).toEqual([undefined, 'free'])
    }
  })
})

describe('what should not run any more', () => {
  it('is every subscription but the newest', () => {
    const three = ['sub_c', 'sub_b', 'sub_a'].map((id, index) => subscribed(3, { id, createdAt: NOW - index }))
    expect(listSuperseded(subscriptionState(three))).toEqual(['sub_b', 'sub_a'])
    expect(listSuperseded(subscriptionState([subscribed(3)]))).toEqual([])
    expect(listSuperseded(subscriptionState([]))).toEqual([])
  })

  it('is a subscription after a purchase for good, and not one that was begun later', () => {
    expect(listSuperseded(subscriptionState([subscribed(3, { createdAt: NOW })], [owned(9, NOW)]))).toEqual(['sub_1'])
    expect(listSuperseded(subscriptionState([subscribed(3, { createdAt: NOW })], [owned(9, NOW - 1)]))).toEqual([])
  })

  it('is nothing that has ended already', () => {
    const ended = subscribed(3, { id: 'sub_old', status: 'canceled' })
    expect(listSuperseded(subscriptionState([subscribed(4), ended]))).toEqual([])
  })
})
