import { describe, expect, test } from 'vitest'
import { averageMovement, isHuman, withMovement } from './robot-check.ts'

const mouse = { by: 'mouse', movements: [4, 6], hover: 240 } as const

describe('the movements of the mouse', () => {
  test('only the latest fifty are kept', () => {
    let movements: readonly number[] = []
    for (let distance = 1; distance <= 60; distance++) movements = withMovement(movements, distance)
    expect(movements).toHaveLength(50)
    expect(movements[0]).toBe(11)
  })

  test('only the last ten are averaged', () => {
    expect(averageMovement([1000, ...Array.from({ length: 10 }, () => 2)])).toBe(2)
  })

  test('a mouse that never moved has an average of nothing', () => {
    expect(averageMovement([])).toBe(0)
  })
})

describe('a mouse', () => {
  test('that moved and hovered is a person', () => {
    expect(isHuman({ gesture: mouse, isTrusted: true, honeypot: '' })).toBe(true)
  })

  test('whose average movement only reaches the limit is not', () => {
    expect(isHuman({ gesture: { ...mouse, movements: [0.5, 0.5] }, isTrusted: true, honeypot: '' })).toBe(false)
  })

  test('that moved long ago but stood still lately is not', () => {
    const movements = [900, ...Array.from({ length: 10 }, () => 0.1)]
    expect(isHuman({ gesture: { ...mouse, movements }, isTrusted: true, honeypot: '' })).toBe(false)
  })

  test('that hovered for only 100 ms is not', () => {
    expect(isHuman({ gesture: { ...mouse, hover: 100 }, isTrusted: true, honeypot: '' })).toBe(false)
  })
})

describe('touch, pen and keyboard', () => {
  test('that held for more than 100 ms are a person', () => {
    expect(isHuman({ gesture: { by: 'press', hold: 101 }, isTrusted: true, honeypot: '' })).toBe(true)
  })

  test('that let go at once are not', () => {
    expect(isHuman({ gesture: { by: 'press', hold: 100 }, isTrusted: true, honeypot: '' })).toBe(false)
  })
})

test('an event raised by a script is refused whatever the gesture', () => {
  expect(isHuman({ gesture: mouse, isTrusted: false, honeypot: '' })).toBe(false)
  expect(isHuman({ gesture: { by: 'press', hold: 500 }, isTrusted: false, honeypot: '' })).toBe(false)
})

test('a filled honeypot is refused whatever the gesture', () => {
  expect(isHuman({ gesture: mouse, isTrusted: true, honeypot: 'https://spam.example' })).toBe(false)
})
