import { beforeEach, expect, it } from 'vitest'
import { unlessClockJumped } from './clock.ts'

const HOUR = 3_600_000
let timeOfDay: number
let steady: number
let rounds: number
let round: () => Promise<void>

beforeEach(() => {
  timeOfDay = Date.UTC(2026, 0, 15)
  steady = 5
  rounds = 0
  const work = async () => {
    rounds += 1
  }
  round = unlessClockJumped({ now: () => timeOfDay }, work, () => steady)
})

function pass(milliseconds: number): void {
  timeOfDay += milliseconds
  steady += milliseconds
}

it('runs the job each time while the clock runs normally', async () => {
  await round()
  pass(HOUR)
  await round()
  pass(30 * 24 * HOUR)
  await round()
  expect(rounds).toBe(3)
})

it('skips exactly one run after the clock was set forward', async () => {
  await round()
  pass(HOUR)
  timeOfDay += 8 * 24 * HOUR
  await round()
  expect(rounds).toBe(1)
  pass(HOUR)
  await round()
  expect(rounds).toBe(2)
})

it('skips the first run if the clock was set forward before it', async () => {
  timeOfDay += 8 * 24 * HOUR
  await round()
  expect(rounds).toBe(0)
})

it('runs the job when the clock was set back', async () => {
  await round()
  timeOfDay -= HOUR
  await round()
  expect(rounds).toBe(2)
})
