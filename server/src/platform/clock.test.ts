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

it('works in every round while time passes as it should', async () => {
  await round()
  pass(HOUR)
  await round()
  pass(30 * 24 * HOUR)
  await round()
  expect(rounds).toBe(3)
})

it('leaves out the round after the clock was set forward, and that one alone', async () => {
  await round()
  pass(HOUR)
  timeOfDay += 8 * 24 * HOUR
  await round()
  expect(rounds).toBe(1)
  pass(HOUR)
  await round()
  expect(rounds).toBe(2)
})

it('notices a clock that was set forward before the first round', async () => {
  timeOfDay += 8 * 24 * HOUR
  await round()
  expect(rounds).toBe(0)
})

it('works when the clock is set back, by which nothing becomes older', async () => {
  await round()
  timeOfDay -= HOUR
  await round()
  expect(rounds).toBe(2)
})
