import { expect, it } from 'vitest'
import { chooseCuts } from './probe-streams.ts'

const key = (seconds: number) => `${seconds.toFixed(6)},K__`
const packets = (...lines: (string | number)[]) =>
  lines.map((line) => (typeof line === 'number' ? `${line.toFixed(6)},__` : line)).join('\n')

it('cuts a film at key frames that are at least one segment apart, counted from its start', () => {
  const listed = packets(key(1.4), 1.5, key(4), key(6.2), key(11), key(11.5), 12, '1.400000')
  expect(chooseCuts(listed)).toEqual([0, 4.8, 9.6])
})

it('begins the first segment with the film even if the sound begins before the pictures', () => {
  expect(chooseCuts(packets(key(0.08), key(5), '0.000000'))).toEqual([0, 5])
})

it.each([
  ['has frames without times', packets(key(0), 'N/A,__', key(5), '0.000000')],
  ['has too few key frames', packets(key(0), 4, key(5), key(30), '0.000000')],
  ['has no key frame after its start', packets(key(0), 4, 40, '0.000000')],
  ['has no start time', packets(key(0), key(5), 'N/A')],
  ['could not be read', ''],
])('finds no cuts in a film that %s', (_what, listed) => {
  expect(chooseCuts(listed)).toEqual([])
})
