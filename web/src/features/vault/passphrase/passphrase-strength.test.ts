import { expect, test } from 'vitest'
import { estimateStrength } from './passphrase-strength.ts'

test.each(['a', '', 'aaaaaaaa', 'password', '12345678', 'qwertyuiop', 'abcdefgh'])(
  'refuses %j and suggests something stronger',
  (weak) => {
    const { isRefused, advice, label } = estimateStrength(weak)
    expect(isRefused).toBe(true)
    expect(label).toBe('Too weak')
    expect(advice).toContain('at least four random words')
  },
)

test('accepts a weak passphrase, but explains the risk', () => {
  const { isRefused, label, advice } = estimateStrength('kx7vq2m')
  expect({ isRefused, label }).toEqual({ isRefused: false, label: 'Weak' })
  expect(advice).toContain('could guess')
})

test.each(['a quiet room, with 1 door', 'correct horse battery staple', 'Vx9!kd02#mmQ'])(
  'rates %j as strong',
  (strong) => {
    expect(estimateStrength(strong)).toEqual({ score: 4, label: 'Strong', isRefused: false, advice: undefined })
  },
)
