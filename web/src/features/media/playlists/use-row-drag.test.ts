import { expect, it } from 'vitest'
import { dropPosition } from './use-row-drag.ts'

const drop = (from: number, over: number, isBelow: boolean) => {
  const items = ['a', 'b', 'c', 'd']
  const [item] = items.splice(from, 1)
  items.splice(dropPosition(from, over, isBelow), 0, item as string)
  return items.join('')
}

it('moves a dropped item next to its target, on the side of the drop', () => {
  expect(drop(0, 2, false)).toBe('bacd')
  expect(drop(0, 2, true)).toBe('bcad')
  expect(drop(3, 1, false)).toBe('adbc')
  expect(drop(3, 1, true)).toBe('abdc')
  expect(drop(1, 3, true)).toBe('acdb')
  expect(drop(2, 0, false)).toBe('cabd')
})

it('leaves an item in place that is dropped on its own edges', () => {
  expect([drop(1, 0, true), drop(1, 2, false), drop(1, 1, true)]).toEqual(['abcd', 'abcd', 'abcd'])
})
