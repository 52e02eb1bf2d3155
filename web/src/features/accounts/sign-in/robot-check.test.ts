import { describe, expect, test } from 'vitest'
import { averageMovement, isHuman, withMovement } from './robot-check.ts'

const mouse = { by: 'mouse', movements: [4, 6], hover: 240 } as const

describe('movements of the mouse', () => {
  test('keeps only the latest fifty movements', () => {
    let movements: readonly number[] = []
    for (let distance = 1; distance <= 60; distance++) movements = withMovement(movements, distance)
    expect(movements).toHaveLength(50)
    expect(movements[0]).toBe(11)
  })

  test('averages only the last ten movements', () => {
    expect(averageMovement([1000, ...Array.from({ length: 10 }, () => 2)])).toBe(2)
  })

  test('averages to 0 for a mouse that never moved', () => {
    expect(averageMovement([])).toBe(0)
  })
})

describe('mouse', () => {
  test('accepts a mouse that moved and hovered', () => {
    expect(isHuman({ gesture: mouse, isTrusted: true, honeypot: '' })).toBe(true)
  })

  test('rejects a mouse whose average movement only reaches the limit', () => {
    expect(isHuman({ gesture: { ...mouse, movements: [0.5, 0.5] }, isTrusted: true, honeypot: '' })).toBe(false)
  })

  test('rejects a mouse that moved long ago but not lately', () => {
    const movements = [900, ...Array.from({ length: 10 }, () => 0.1)]
    expect(isHuman({ gesture: { ...mouse, movements }, isTrusted: true, honeypot: '' })).toBe(false)
  })

  test('rejects a mouse that hovered for only 100 ms', () => {
    expect(isHuman({ gesture: { ...mouse, hover: 100 }, isTrusted: true, honeypot: '' })).toBe(false)
  })
})

describe('touch, pen and keyboard', () => {
  test('accepts a press of more than 100 ms', () => {
    expect(isHuman({ gesture: { by: 'press', hold: 101 }, isTrusted: true, honeypot: '' })).toBe(true)
  })

  test('rejects a press of 100 ms', () => {
    expect(isHuman({ gesture: { by: 'press', hold: 100 }, isTrusted: true, honeypot: '' })).toBe(false)
  })
})

test('rejects an event from a script, whatever the gesture', () => {
  expect(isHuman({ gesture: mouse, isTrusted: false, honeypot: '' })).toBe(false)
  expect(isHuman({ gesture: { by: 'press', hold: 500 }, isTrusted: false, honeypot: '' })).toBe(false)
})

test('rejects a filled honeypot, whatever the gesture', () => {
  expect(isHuman({ gesture: mouse, isTrusted: true, honeypot: 'https://spam.example' })).toBe(false)
})
