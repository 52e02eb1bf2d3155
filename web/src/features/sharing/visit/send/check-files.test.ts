import { MEBIBYTE } from '@alcove/contract/limits'
import { expect, it } from 'vitest'
import { checkFiles, describeLimits } from './check-files.ts'

const file = (name: string, size = 1) => Object.defineProperty(new File([], name), 'size', { value: size })
const limits = { fileTypes: ['jpg', 'png'], maxFileBytes: MEBIBYTE }

it('refuses other types and larger files by their name, also in folders', () => {
  const chosen = {
    files: [file('a.JPG'), file('b.exe'), file('c.png', MEBIBYTE + 1), file('jpg')],
    folders: [
      {
        name: 'Trip',
        files: [
          { source: file('d.png', MEBIBYTE), relativePath: 'Trip/d.png' },
          { source: file('e.txt'), relativePath: 'Trip/notes/e.txt' },
        ],
        emptyFolders: [],
      },
      { name: 'Texts', files: [{ source: file('f.txt'), relativePath: 'Texts/f.txt' }], emptyFolders: [] },
      { name: 'Empty', files: [], emptyFolders: ['Empty'] },
    ],
  }
  const { accepted, refused } = checkFiles(chosen, limits)
  expect(accepted.files.map(({ name }) => name)).toEqual(['a.JPG'])
  expect(accepted.folders.map(({ name, files }) => [name, files.length])).toEqual([
    ['Trip', 1],
    ['Empty', 0],
  ])
  expect(refused.map(({ name }) => name)).toEqual(['b.exe', 'c.png', 'jpg', 'Trip/notes/e.txt', 'Texts/f.txt'])
  expect(refused[0]?.reason).toBe('Only jpg and png files can be sent.')
  expect(refused[1]?.reason).toBe('A file can have at most 1 MB.')
})

it('accepts everything without limits', () => {
  const chosen = { files: [file('a'), file('b.exe', 1e15)], folders: [] }
  expect(checkFiles(chosen, { fileTypes: [], maxFileBytes: null }).refused).toEqual([])
})

it('describes only the limits that a link has', () => {
  const none = { title: null, message: null, visitorName: 'none', maxFileBytes: null, maxFiles: null } as const
  expect(describeLimits({ ...none, fileTypes: [], expiresAt: null })).toEqual([])
  expect(describeLimits({ ...none, fileTypes: ['pdf'], maxFiles: 1, expiresAt: null })).toEqual([
    'Only pdf files.',
    'At most 1 file from everyone together.',
  ])
})
