import { expect, test } from 'vitest'
import { nameOfPasted } from './pasted-files.ts'

const now = new Date(2026, 10, 2, 9, 5)

test.each([
  ['image.png', 'Pasted image 2026-11-02 09.05.png'],
  ['image.jpeg', 'Pasted image 2026-11-02 09.05.jpeg'],
  ['Lisbon.png', 'Lisbon.png'],
  ['image.pdf', 'image.pdf'],
])('a pasted %s is kept as %s', (name, kept) => {
  expect(nameOfPasted(name, now)).toBe(kept)
})
