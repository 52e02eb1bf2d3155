import { expect, it } from 'vitest'
import { parseRange } from './send-bytes.ts'

it.each([
  [undefined, 10, { start: 0, end: 9, isPart: false }],
  ['bytes=0-0', 10, { start: 0, end: 0, isPart: true }],
  ['bytes=3-', 10, { start: 3, end: 9, isPart: true }],
  ['bytes=-3', 10, { start: 7, end: 9, isPart: true }],
  ['bytes=-30', 10, { start: 0, end: 9, isPart: true }],
  ['bytes=0-99999999999999999999', 10, { start: 0, end: 9, isPart: true }],
  [' bytes=1-2 ', 10, { start: 1, end: 2, isPart: true }],
  ['bytes=1-2,4-5', 10, { start: 0, end: 9, isPart: false }],
  ['bytes=2-1', 10, { start: 0, end: 9, isPart: false }],
  ['chunks=1-2', 10, { start: 0, end: 9, isPart: false }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  [undefined, 0, { start: 0, end: -1, isPart: false }],
] as const)('parses the Range header %j for %i bytes', (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected)
})
