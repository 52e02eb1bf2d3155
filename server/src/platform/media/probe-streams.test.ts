import { expect, it } from 'vitest'
import { chooseCuts } from './probe-streams.ts'

const key = (seconds: number) => `${seconds.toFixed(6)},K__`
const packets = (...lines: (string | number)[]) =>
  lines.map((line) => (typeof line === 'number' ? `${line.toFixed(6)},__` : line)).join('\n')

it('a film is cut at key frames that are no closer than a segment is long, counted from its start', () => {
  const listed = packets(key(1.4), 1.5, key(4), key(6.2), key(11), key(11.5), 12, '1.400000')
  expect(chooseCuts(listed)).toEqual([0, 4.8, 9.6])
})

it('the first segment begins with the film, also where the sound does before the pictures', () => {
  expect(chooseCuts(packets(key(0.08), key(5), '0.000000'))).toEqual([0, 5])
})

it.each([
  ['has pictures without times', packets(key(0), 'N/A,__', key(5), '0.000000')],
  ['has key frames too rarely', packets(key(0), 4, key(5), key(30), '0.000000')],
  ['has none behind its start', packets(key(0), 4, 40, '0.000000')],
  ['does not say when it starts', packets(key(0), key(5), 'N/A')],
  ['could not be read', ''],
])('a film is not cut that %s', (_what, listed) => {
  expect(chooseCuts(listed)).toEqual([])
})
