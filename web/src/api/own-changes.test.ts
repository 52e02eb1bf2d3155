import '../lib/testing/browser-globals.ts'
import { beforeEach, expect, test } from 'vitest'
import { areOwnChanges, noteOwnChanges } from './own-changes.ts'
import { updateSession } from './session.ts'

const note = (header: string | null) => noteOwnChanges((name) => (name === 'alcove-changed' ? header : null))

const tokenOf = (userId: string) => `.${btoa(JSON.stringify({ sub: userId }))}.`

beforeEach(() => {
  updateSession({ token: undefined })
  updateSession({ token: tokenOf('mara') })
})

test('own changes are recognized in any order of their responses', () => {
  note('3.0.1 5.0.1')
  note(null)
  note('1.0.1 2.0.1, 2.0.1 3.0.1')
  expect(areOwnChanges('1.0.1', '5.0.1')).toBe(true)
  expect(areOwnChanges('5.0.1', '5.0.1')).toBe(true)
})

test('a change of another device between own changes is not taken for an own one', () => {
  note('1.0.1 2.0.1')
  note('3.0.1 4.0.1')
  expect(areOwnChanges('1.0.1', '4.0.1')).toBe(false)
  expect(areOwnChanges('1.0.1', '2.0.1')).toBe(true)
  expect(areOwnChanges('2.0.1', '4.0.1')).toBe(false)
  expect(areOwnChanges(undefined, '4.0.1')).toBe(false)
})

test('changes of a user are not taken for those of the next one in this browser', () => {
  note('1.0.1 2.0.1')
  updateSession({ token: tokenOf('noel') })
  expect(areOwnChanges('1.0.1', '2.0.1')).toBe(false)
})

test('versions that lead to each other end the search', () => {
  note('1 2')
  note('2 1')
  expect(areOwnChanges('1', '3')).toBe(false)
})
