import type { File, Folder, Item } from '@alcove/contract/items'
import { expect, test } from 'vitest'
import type { ItemActions } from '../item-actions.ts'
import { menuFor, menuForMany } from './item-menu.ts'

const file = { id: 'f', type: 'file', name: 'a.txt', isFavorite: false } as File
const folder = { id: 'd', type: 'folder', name: 'A', isFavorite: true } as Folder
let requested: unknown[] = []
const ask =
  (name: string) =>
  (...given: unknown[]) => {
    requested = [name, ...given]
  }
const actions: ItemActions = {
  open: ask('open'),
  preview: ask('preview'),
  rename: ask('rename'),
  download: ask('download'),
  move: ask('move'),
  remove: ask('remove'),
  toggleFavorite: ask('toggleFavorite'),
  share: ask('share'),
  shareWithPeople: ask('shareWithPeople'),
  history: ask('history'),
  activity: ask('activity'),
  details: ask('details'),
  cut: ask('cut'),
  copy: ask('copy'),
}
const labels = (groups: ReturnType<typeof menuFor>) => groups.map((group) => group.map(({ label }) => label))

test("the menu of a file starts with the specification's entries in the specified order", () => {
  const [own, link, ours] = labels(menuFor(file, actions))
  expect(own).toEqual(['Rename', 'Download', 'Preview', 'Delete'])
  expect(link).toEqual(['Public Link'])
  expect(ours).toEqual(['Move', 'Cut', 'Copy', 'Add to Favorites', 'Version history', 'Details'])
})

test('the menu of a folder begins with Open', () => {
  expect(labels(menuFor(folder, actions))).toEqual([
    ['Open'],
    ['Rename', 'Download', 'Preview', 'Delete'],
    ['Public Link', 'Share With People'],
    ['Move', 'Cut', 'Copy', 'Remove From Favorites', 'Activity', 'Details'],
  ])
})

test('the menu has no entries for actions that are not available', () => {
  const { rename, download, move, remove, open } = actions
  expect(labels(menuFor(file, { rename, download, move, remove, open }))).toEqual([
    ['Rename', 'Download', 'Delete'],
    ['Move'],
  ])
})

test('the menu of a folder has no entries for changes where the user may only look', () => {
  const { download, open } = actions
  expect(labels(menuFor(folder, { download, open }))).toEqual([['Open'], ['Download']])
  expect(labels(menuForMany([folder, file], { download, open }))).toEqual([['Download']])
})

test('the menu of several items acts on all of them at once', () => {
  const items: Item[] = [folder, file]
  const groups = menuForMany(items, actions)
  expect(labels(groups)).toEqual([['Download', 'Move', 'Cut', 'Copy', 'Add to Favorites'], ['Delete'], ['Details']])
  groups[1]?.[0]?.run()
  expect(requested).toEqual(['remove', items, undefined])
})

test('the menu disables Cut, but not Move, when the selection contains unloaded items', () => {
  const everything = { folderId: undefined, exceptIds: [], count: 50_000 }
  const [group] = menuForMany([file], actions, everything)
  expect(group?.find(({ label }) => label === 'Cut')?.reason).toBeTruthy()
  expect(group?.find(({ label }) => label === 'Move')?.reason).toBeUndefined()
})
