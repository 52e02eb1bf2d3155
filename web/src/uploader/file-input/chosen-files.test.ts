import { expect, test } from 'vitest'
import { groupByFolder, nameOfPasted, readDropped } from './chosen-files.ts'

type Tree = { [name: string]: Tree | 'file' }

/** Imitates a directory of a browser, which returns at most a hundred entries at a time. */
function entryOf(name: string, content: Tree | 'file'): FileSystemEntry {
  if (content === 'file') {
    return {
      name,
      isDirectory: false,
      file: (done: FileCallback) => done(new File(['x'], name)),
    } as unknown as FileSystemEntry
  }
  return {
    name,
    isDirectory: true,
    createReader() {
      const left = Object.entries(content).map(([child, below]) => entryOf(child, below))
      return { readEntries: (done: FileSystemEntriesCallback) => done(left.splice(0, 100)) }
    },
  } as unknown as FileSystemEntry
}

function itemOf(name: string, content: Tree | 'file'): DataTransferItem {
  return {
    kind: 'file',
    webkitGetAsEntry: () => entryOf(name, content),
    getAsFile: () => (content === 'file' ? new File(['x'], name) : null),
  } as unknown as DataTransferItem
}

test('separates dropped files from folders and keeps the paths', async () => {
  const text = { kind: 'string' } as DataTransferItem
  const trip = itemOf('Trip', { 'a.jpg': 'file', 'day 1': { 'b.jpg': 'file', night: { 'c.jpg': 'file' } }, empty: {} })
  const { files, folders } = await readDropped([itemOf('note.txt', 'file'), text, trip])
  expect(files.map(({ name }) => name)).toEqual(['note.txt'])
  expect(folders.map(({ name }) => name)).toEqual(['Trip'])
  expect(folders[0]?.files.map(({ relativePath }) => relativePath)).toEqual([
    'Trip/a.jpg',
    'Trip/day 1/b.jpg',
    'Trip/day 1/night/c.jpg',
  ])
})

test('reads all entries of a folder although the browser returns them in batches', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${index}.txt`, 'file' as const]))
  const { folders } = await readDropped([itemOf('Many', many)])
  expect(folders[0]?.files.length).toBe(250)
})

test('recognizes an empty folder', async () => {
  expect(await readDropped([itemOf('Nothing', {})])).toEqual({
    files: [],
    folders: [{ name: 'Nothing', files: [], emptyFolders: ['Nothing'] }],
  })
})

test('lists the paths of empty folders, including those with only system files', async () => {
  const { folders } = await readDropped([
    itemOf('Trip', { a: {}, b: { c: {}, 'd.txt': 'file' }, e: { '.DS_Store': 'file' } }),
  ])
  expect(folders[0]?.emptyFolders.toSorted()).toEqual(['Trip/a', 'Trip/b/c', 'Trip/e'])
  expect(folders[0]?.files.map(({ relativePath }) => relativePath)).toEqual(['Trip/b/d.txt'])
})

test('skips system files such as Thumbs.db in folders but accepts one dropped by itself', async () => {
  const tree = itemOf('A', { 'Thumbs.db': 'file', 'desktop.ini': 'file', 'thumbs.txt': 'file' })
  const { files, folders } = await readDropped([tree, itemOf('.DS_Store', 'file')])
  expect(folders[0]?.files.map(({ relativePath }) => relativePath)).toEqual(['A/thumbs.txt'])
  expect(files.map(({ name }) => name)).toEqual(['.DS_Store'])
})

test('groups the files of chosen folders by the first segment of their paths', () => {
  const at = (path: string) => Object.assign(new File([], path.split('/').at(-1) ?? ''), { webkitRelativePath: path })
  const folders = groupByFolder([at('A/1.txt'), at('A/b/2.txt'), at('C/3.txt')])
  expect(folders.map(({ name, files }) => [name, files.length])).toEqual([
    ['A', 2],
    ['C', 1],
  ])
})

const now = new Date(2026, 10, 2, 9, 5)

test.each([
  ['image.png', 'Pasted image 2026-11-02 09.05.png'],
  ['image.jpeg', 'Pasted image 2026-11-02 09.05.jpeg'],
  ['Lisbon.png', 'Lisbon.png'],
  ['image.pdf', 'image.pdf'],
])('gives the pasted file %s the name %s', (name, kept) => {
  expect(nameOfPasted(name, now)).toBe(kept)
})
