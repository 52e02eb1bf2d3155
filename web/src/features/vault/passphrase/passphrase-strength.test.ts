import { expect, test } from 'vitest'
import { estimateStrength } from './passphrase-strength.ts'

test.each(['a', '', 'aaaaaaaa', 'password', '12345678', 'qwertyuiop', 'abcdefgh'])(
  'refuses %j and says what would do',
  (weak) => {
    const { isRefused, advice, label } = estimateStrength(weak)
    expect(isRefused).toBe(true)
    expect(label).toBe('Too weak')
    expect(advice).toContain('at least four random words')
  },
)

test('takes a weak passphrase, but explains the danger', () => {
  const { isRefused, label, advice } = estimateStrength('kx7vq2m')
  expect({ isRefused, label }).toEqual({ isRefused: false, label: 'Weak' })
  expect(advice).toContain('could guess')
})

test.each(['a quiet room, with 1 door', 'correct horse battery staple', 'Vx9!kd02#mmQ'])(
  'finds %j strong',
  (strong) => {
    expect(estimateStrength(strong)).toEqual({ score: 4, label: 'Strong', isRefused: false, advice: undefined })
  },
)
