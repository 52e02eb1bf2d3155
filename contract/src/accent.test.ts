import { expect, it } from 'vitest'
import { contrastOf, DEFAULT_ACCENT, deriveAccent, MIN_CONTRAST } from './accent.ts'

/** Colors all over the range, including the hard ones: black, white, yellow and grey. */
const accents = [
  ...['#000000', '#ffffff', '#ffff00', '#808080', '#777777', '#00ffff', '#ff00ff', '#0000ff', '#ff0000', '#00ff00'],
  ...Array.from({ length: 512 }, (_, n) => {
    const channel = (shift: number) => (((n >> shift) & 7) * 36).toString(16).padStart(2, '0')
    return `#${channel(0)}${channel(3)}${channel(6)}`
  }),
]

it('computes the contrast that WCAG defines', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrastOf('#ffffff', '#777777')).toBeCloseTo(4.48, 2)
})

it('derives readable texts in both color schemes from any accent', () => {
  for (const accent of accents) {
    const { light, dark, shades } = deriveAccent(accent)
    const pairs = [
      ...['#ffffff', '#f6f0ec', '#efe7e3', light.selected, light.plate].map((wall) => [light['primary-text'], wall]),
      ...['#0a110f', '#131c18', '#222e29', dark.selected, dark.plate].map((wall) => [dark['primary-text'], wall]),
      [light['on-primary'], light.primary],
      [light['on-primary'], light['primary-hover']],
      [dark['on-primary'], dark.primary],
      [dark['on-primary'], dark['primary-hover']],
      ['#ffffff', light.bar],
      ['#ffffff', dark.bar],
      ...([6, 7, 8, 9] as const).map((number) => ['#ffffff', shades[number]]),
    ] as [string, string][]
    for (const [text, wall] of pairs)
      expect(contrastOf(text, wall), `${text} on ${wall} for ${accent}`).toBeGreaterThanOrEqual(MIN_CONTRAST)
  }
})

it('keeps an accent that is dark enough as it is', () => {
  expect(deriveAccent(DEFAULT_ACCENT).light.primary).toBe(DEFAULT_ACCENT)
  expect(deriveAccent('#5b2d90').light.primary).toBe('#5b2d90')
  expect(deriveAccent('#ffd700').light.primary).not.toBe('#ffd700')
})
