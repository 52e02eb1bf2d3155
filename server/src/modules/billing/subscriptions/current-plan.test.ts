import { PAYMENT_GRACE } from '@alcove/contract/limits'
import { type Plan, plans } from '@alcove/contract/plans'
import { describe, expect, it } from 'vitest'
import { currentPlan } from './current-plan.ts'
import type { Owned, Subscribed, SubscriptionState } from './subscription-state.ts'
import { listSuperseded } from './sync-subscription.ts'

const NOW = Date.UTC(2026, 5, 1)

function plan(planId: number): Plan {
  return plans.find((one) => one.planId === planId) as Plan
}

function subscribed(planId: number, details: Partial<Subscribed> = {}): Subscribed {
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
    ...details,
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

describe('currentPlan', () => {
  it.each([
    ['a customer without purchases', subscriptionState([]), null, 0, 'free'],
    ['a deleted customer', undefined, null, 0, 'free'],
    ['an active subscription', subscriptionState([subscribed(3)]), null, 3, 'active'],
    ['a trial subscription', subscriptionState([subscribed(3, { status: 'trialing' })]), null, 3, 'active'],
    ['an ended subscription', subscriptionState([subscribed(3, { status: 'canceled' })]), null, 0, 'free'],
    [
      'a subscription that was never paid',
      subscriptionState([subscribed(3, { status: 'incomplete' })]),
      null,
      0,
      'incomplete',
    ],
    ['a paused subscription', subscriptionState([subscribed(3, { status: 'paused' })]), null, 0, 'free'],
    ['a lifetime purchase', subscriptionState([], [owned(11)]), null, 11, 'lifetime'],
    [
      'the largest of several lifetime purchases',
      subscriptionState([], [owned(9), owned(11), owned(10)]),
      null,
      11,
      'lifetime',
    ],
    [
      'a subscription larger than the lifetime purchase',
      subscriptionState([subscribed(4)], [owned(9)]),
      null,
      4,
      'active',
    ],
    [
      'a subscription smaller than the lifetime purchase',
      subscriptionState([subscribed(1)], [owned(11)]),
      null,
      11,
      'lifetime',
    ],
    [
      'a lifetime purchase as large as the subscription',
      subscriptionState([subscribed(3)], [owned(11)]),
      null,
      11,
      'lifetime',
    ],
    ['a granted plan', subscriptionState([]), 8, 8, 'active'],
    ['a subscription larger than the granted plan', subscriptionState([subscribed(4)]), 1, 4, 'active'],
  ] as const)('returns the right plan and status for %s', (_with, state, granted, planId, status) => {
    const current = currentPlan(state, granted === null ? undefined : plan(granted), NOW)
    expect([current.plan?.planId ?? 0, current.status]).toEqual([planId, status])
  })

  it('keeps the plan of an unpaid subscription until the grace period ends', () => {
    for (const status of ['past_due', 'unpaid'] as const) {
      const state = subscriptionState([subscribed(3, { status, unpaidSince: NOW })])
      const last = currentPlan(state, undefined, NOW + PAYMENT_GRACE - 1)
      expect([last.plan?.planId, last.status]).toEqual([3, 'past_due'])
      const after = currentPlan(state, undefined, NOW + PAYMENT_GRACE)
      expect([after.plan, after.status]).toEqual([undefined, 'free'])
    }
  })
})

describe('listSuperseded', () => {
  it('lists every subscription except the newest', () => {
    const three = ['sub_c', 'sub_b', 'sub_a'].map((id, index) => subscribed(3, { id, createdAt: NOW - index }))
    expect(listSuperseded(subscriptionState(three))).toEqual(['sub_b', 'sub_a'])
    expect(listSuperseded(subscriptionState([subscribed(3)]))).toEqual([])
    expect(listSuperseded(subscriptionState([]))).toEqual([])
  })

  it('lists a subscription that is no newer than a lifetime purchase', () => {
    expect(listSuperseded(subscriptionState([subscribed(3, { createdAt: NOW })], [owned(9, NOW)]))).toEqual(['sub_1'])
    expect(listSuperseded(subscriptionState([subscribed(3, { createdAt: NOW })], [owned(9, NOW - 1)]))).toEqual([])
  })

  it('leaves out subscriptions that have already ended', () => {
    const ended = subscribed(3, { id: 'sub_old', status: 'canceled' })
    expect(listSuperseded(subscriptionState([subscribed(4), ended]))).toEqual([])
  })
})
