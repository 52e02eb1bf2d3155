import { expect, test } from 'vitest'
import { groupSecret, recoveryCodesText } from './secret-text.ts'

test('splits a secret into groups of four, of which the last may be shorter', () => {
  expect(groupSecret('JBSWY3DPEHPK3PXP')).toBe('JBSW Y3DP EHPK 3PXP')
  expect(groupSecret('ABCDEF')).toBe('ABCD EF')
  expect(groupSecret('')).toBe('')
})

test('puts each recovery code on a line of its own and names the account', () => {
  const lines = recoveryCodesText({
    email: 'mara@example.com',
    codes: ['AAAA-BBBB', 'CCCC-DDDD'],
    createdOn: '22 Nov 2026',
  }).split('\n')
  expect(lines).toContain('AAAA-BBBB')
  expect(lines).toContain('CCCC-DDDD')
  expect(lines).toContain('Account: mara@example.com')
  expect(lines).toContain('Created on: 22 Nov 2026')
})
