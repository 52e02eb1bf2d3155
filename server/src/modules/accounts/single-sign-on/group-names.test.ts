import { MAX_PROVIDER_GROUPS } from '@alcove/contract/limits'
import { describe, expect, it } from 'vitest'
import { chooseGroups, isForSharing } from './group-names.ts'

describe('the groups for sharing', () => {
  it.each([
    ['*', 'anything', true],
    ['staff', 'staff', true],
    ['staff', 'Staff', false],
    ['team-*', 'team-red', true],
    ['team-*', 'a team-red', false],
    ['*/dev', '/company/dev', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'ac', false],
    ['a*bc*c', 'abc', false],
    ['a.c', 'abc', false],
    ['**', '', true],
  ])('%s names %s: %s', (pattern, name, expected) => {
    expect(isForSharing({ groups: ['other', pattern] }, name)).toBe(expected)
  })

  it('are none by default', () => {
    expect(isForSharing({ groups: [] }, 'staff')).toBe(false)
  })

  it('match patterns with many asterisks quickly', () => {
    const start = performance.now()
    expect(isForSharing({ groups: [`${'*a'.repeat(99)}b`] }, 'a'.repeat(100))).toBe(false)
    // A regular expression would take years, and a busy machine less than seconds.
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  it('leave out names that are too long, empty or not storable, and those beyond the limit, always the same', () => {
    const bad = ['', ' ', 'x'.repeat(101), 'a\u0000b', 'a\nb', '\ud800']
    const many = Array.from({ length: MAX_PROVIDER_GROUPS + 5 }, (_, number) => `g${String(number).padStart(3, '0')}`)
    const chosen = chooseGroups({ groups: ['*'] }, [...many, ...bad, 'g000'])
    expect(chosen).toEqual({ names: many.slice(0, MAX_PROVIDER_GROUPS), ignored: bad.length + 5 })
    expect(chooseGroups({ groups: ['*'] }, many.toReversed()).names).toEqual(chosen.names)
    expect(chooseGroups({ groups: ['staff'] }, many)).toEqual({ names: [], ignored: 0 })
  })
})
