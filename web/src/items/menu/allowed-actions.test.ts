import type { Item, SharedBy } from '@alcove/contract/items'
import { expect, it } from 'vitest'
import type { ItemActions } from '../item-actions.ts'
import { allowedActions } from './allowed-actions.ts'

const noop = () => {}
const all: ItemActions = {
  ...{
    open: noop,
    download: noop,
    rename: noop,
    move: noop,
    remove: noop,
    cut: noop,
    copyTo: noop,
    copy: noop,
    toggleFavorite: noop,
  },
  ...{ share: noop, shareWithPeople: noop, requestFiles: noop },
}
const own = { id: 'a' } as Item
const ofRole = (role: SharedBy['role']) =>
  ({ id: role, sharedBy: { email: 'a@b.de', displayName: null, role } }) as Item
const namesOf = (...items: Item[]) =>
  Object.entries(allowedActions(items, all)).flatMap(([name, run]) => (run ? [name] : []))

it('leaves own items every action', () => {
  expect(allowedActions([own], all)).toBe(all)
})

it('leaves viewers and contributors what changes nothing of the owner', () => {
  for (const role of ['viewer', 'contributor'] as const) {
    expect(namesOf(ofRole(role))).toEqual(['open', 'download', 'copyTo', 'copy', 'toggleFavorite'])
  }
})

it('leaves editors everything but sharing', () => {
  const changing = ['open', 'download', 'rename', 'move', 'remove', 'cut', 'copyTo', 'copy', 'toggleFavorite']
  expect(namesOf(ofRole('editor'), ofRole('manager'))).toEqual(changing)
})

it('leaves own and shared items together only what works for both', () => {
  expect(namesOf(own, ofRole('manager'))).toEqual(['open', 'download', 'toggleFavorite'])
})
