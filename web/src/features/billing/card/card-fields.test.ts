import { describe, expect, test } from 'vitest'
import { findBrand, findCardProblems, formatCvc, formatExpiry, formatNumber, readExpiry } from './card-fields.ts'

const now = new Date(2026, 10, 22)
const good = { number: '4242 4242 4242 4242', expiry: '08 / 29', cvc: '123' }

describe('a card number', () => {
  test('is split in fours while it is typed', () => {
    expect(formatNumber('42424')).toBe('4242 4')
    expect(formatNumber('4242-4242 4242x4242')).toBe('4242 4242 4242 4242')
    expect(formatNumber('4242 ')).toBe('4242')
  })

  test('of American Express is split its own way and has fifteen digits', () => {
    expect(formatNumber('3782822463100051')).toBe('3782 822463 10005')
  })

  test('tells its brand by the first digits', () => {
    expect(['4', '51', '37', '60', '9', ''].map(findBrand)).toEqual([
      'visa',
      'mastercard',
      'amex',
      'discover',
      undefined,
      undefined,
    ])
  })

  test('that is missing, unfinished or mistyped is named', () => {
    expect(findCardProblems({ ...good, number: '' }, now).number).toBe('Enter the number of your card.')
    expect(findCardProblems({ ...good, number: '4242 4242' }, now).number).toBe('This card number is not complete.')
    expect(findCardProblems({ ...good, number: '4242 4242 4242 4241' }, now).number).toBe(
      'This card number is not valid.',
    )
    expect(findCardProblems({ ...good, number: '4242 4242 4242 42' }, now).number).toBe(
      'This card number is not valid.',
    )
  })
})

describe('an expiry', () => {
  test('gets its slash and its leading zero', () => {
    expect(['1', '8', '08', '082', '0829', '08 / 2029', '8/29', '082029', '1229'].map(formatExpiry)).toEqual([
      '1',
      '08',
      '08',
      '08 / 2',
      '08 / 29',
      '08 / 29',
      '08 / 29',
      '08 / 29',
      '12 / 29',
    ])
  })

  test('lets a year of four digits be typed', () => {
    expect(['08 / 20', '08 / 202', '08 / 2029'].map(formatExpiry)).toEqual(['08 / 20', '08 / 202', '08 / 29'])
    expect(findCardProblems({ ...good, expiry: '08 / 202' }, now).expiry).toBe('This date is not complete.')
  })

  test('can be deleted from its end', () => {
    expect(formatExpiry('08 / ')).toBe('08')
    expect(formatExpiry('0')).toBe('0')
    expect(formatExpiry('')).toBe('')
  })

  test('is good to the end of its month', () => {
    expect(findCardProblems({ ...good, expiry: '11 / 26' }, now)).toEqual({})
    expect(findCardProblems({ ...good, expiry: '10 / 26' }, now).expiry).toBe('This card has expired.')
    expect(findCardProblems({ ...good, expiry: '13 / 29' }, now).expiry).toBe('This month does not exist.')
    expect(findCardProblems({ ...good, expiry: '00 / 29' }, now).expiry).toBe('This month does not exist.')
    expect(findCardProblems({ ...good, expiry: '08 / 2' }, now).expiry).toBe('This date is not complete.')
    expect(findCardProblems({ ...good, expiry: '08 / 99' }, now).expiry).toBe('This year is not valid.')
  })

  test('is read as numbers', () => {
    expect(readExpiry('08 / 29')).toEqual({ month: 8, year: 2029 })
  })
})

describe('a security code', () => {
  test('has four digits at most', () => {
    expect(formatCvc('12a345')).toBe('1234')
  })

  test('has as many as its brand prints', () => {
    const amex = { ...good, number: '3782 822463 10005' }
    expect(findCardProblems({ ...amex, cvc: '123' }, now).cvc).toBe('This code is not complete.')
    expect(findCardProblems({ ...amex, cvc: '1234' }, now)).toEqual({})
    expect(findCardProblems({ ...good, cvc: '1234' }, now).cvc).toBe('This code is too long.')
    expect(findCardProblems({ ...good, cvc: '' }, now).cvc).toBe('Enter the security code of your card.')
  })
})

test('an empty form names all three fields, a right one none', () => {
  expect(Object.keys(findCardProblems({ number: '', expiry: '', cvc: '' }, now))).toEqual(['number', 'expiry', 'cvc'])
  expect(findCardProblems(good, now)).toEqual({})
})
