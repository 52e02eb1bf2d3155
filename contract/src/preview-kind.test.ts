import { describe, expect, it } from 'vitest'
import { isPicture, languageOf, previewKindOf } from './preview-kind.ts'

describe('previewKindOf', () => {
  it.each([
    ['Photo.JPG', 'image'],
    ['drawing.svg', 'image'],
    ['scan.tiff', 'thumbnail'],
    ['Contract.pdf', 'pdf'],
    ['voice.opus', 'audio'],
    ['film.3gp', 'video'],
    ['notes.md', 'text'],
    ['page.html', 'text'],
    ['Makefile', 'text'],
    ['.gitignore', 'text'],
  ])('shows %s as %s', (name, kind) => expect(previewKindOf(name)).toBe(kind))

  it.each(['letter.docx', 'archive.zip', 'unknown', 'a.', 'constructor', '__proto__', 'x.toString', '._song.mp3'])(
    'returns no preview kind for %s',
    (name) => expect(previewKindOf(name)).toBeUndefined(),
  )
})

it('returns the language of code and undefined for plain text', () => {
  expect(languageOf('main.rs')).toBe('rust')
  expect(languageOf('Dockerfile')).toBe('bash')
  expect(languageOf('letter.txt')).toBeUndefined()
})

it('isPicture includes pictures that only the server can decode', () => {
  expect(isPicture('a.heic')).toBe(true)
  expect(isPicture('a.pdf')).toBe(false)
})
