/**
 * Derives the colors of the interface from one accent color, for both color schemes. Hue and chroma are those of the accent; the
 * lightness is moved until each text has the contrast that WCAG 2.2 requires, so every accent can be used.
 */

/** The least contrast between text and its background (WCAG 2.2, 1.4.3). */
export const MIN_CONTRAST = 4.5

/** The accent of the product itself, with which the roles in `web/src/app/colors.ts` were drawn. */
export const DEFAULT_ACCENT = '#1c5141'

/** The roles of color that depend on the accent. */
const roleNames = [
  'primary',
  'primary-hover',
  'on-primary',
  'primary-text',
  'selected',
  'selected-ring',
  'plate',
  'focus',
  'bar',
] as const
export type AccentRole = (typeof roleNames)[number]

export interface AccentColors {
  readonly light: Readonly<Record<AccentRole, string>>
  readonly dark: Readonly<Record<AccentRole, string>>
  /** Shades for decorations, by their number in the palette. White text can be read on 6 to 9. */
  readonly shades: Readonly<Record<3 | 4 | 5 | 6 | 7 | 8 | 9, string>>
}

/** The lightest and the darkest backgrounds of texts in the accent color, besides those derived from it. */
const BACKGROUNDS = { light: ['#ffffff', '#f6f0ec', '#efe7e3'], dark: ['#0a110f', '#1b2621', '#222e29'] } as const

/** Returns the colors for an accent like `#1c5141`. */
export function deriveAccent(accent: string): AccentColors {
  const base = toOklch(accent)
  const tone = (lightness: number, chroma: number) =>
    toHex({ ...base, lightness, chroma: Math.min(chroma, base.chroma) })
  const readable = (color: string, on: readonly string[]) => moveUntil(color, -STEP, (one) => isReadable(one, on))
  const brighter = (color: string, on: readonly string[]) => moveUntil(color, STEP, (one) => isReadable(one, on))

  const primary = readable(accent, ['#ffffff'])
  const light = { selected: tone(0.97, 0.013), plate: tone(0.93, 0.03) }
  const dark = { selected: tone(0.25, 0.025), plate: tone(0.32, 0.04), 'on-primary': tone(0.25, 0.04) }
  const onDark = [...BACKGROUNDS.dark, ...Object.values(dark)]
  const bright = brighter(tone(Math.max(0.77, base.lightness), base.chroma), onDark)
  const shade = (lightness: number, chroma = base.chroma) => readable(tone(lightness, chroma), ['#ffffff'])
  return {
    light: {
      primary,
      'primary-hover': shiftLightness(primary, toOklch(primary).lightness > 0.25 ? -0.08 : 0.1),
      'on-primary': '#ffffff',
      'primary-text': readable(primary, [...BACKGROUNDS.light, ...Object.values(light)]),
      ...light,
      'selected-ring': tone(0.55, base.chroma),
      focus: primary,
      bar: tone(0.26, 0.05),
    },
    dark: {
      primary: bright,
      'primary-hover': shiftLightness(bright, toOklch(bright).lightness < 0.9 ? 0.06 : -0.06),
      'primary-text': bright,
      ...dark,
      'selected-ring': tone(0.6, base.chroma),
      focus: bright,
      bar: tone(0.31, 0.02),
    },
    shades: {
      3: bright,
      4: tone(0.67, base.chroma),
      5: tone(0.56, base.chroma),
      6: shade(0.47),
      7: shade(0.4),
      8: shade(0.33, 0.11),
      9: shade(0.26, 0.08),
    },
  }
}

/** Returns the contrast between two colors, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const STEP = 0.01

function isReadable(color: string, backgrounds: readonly string[]): boolean {
  return backgrounds.every((background) => contrastOf(color, background) >= MIN_CONTRAST)
}

function moveUntil(color: string, step: number, isDone: (color: string) => boolean): string {
  let moved = color
  for (let { lightness } = toOklch(color); !isDone(moved) && lightness > 0 && lightness < 1; ) {
    lightness += step
    moved = toHex({ ...toOklch(color), lightness })
  }
  return moved
}

function shiftLightness(color: string, by: number): string {
  const { lightness, ...rest } = toOklch(color)
  return toHex({ ...rest, lightness: lightness + by })
}

interface Oklch {
  /** From 0 to 1, as the eye sees it. */
  readonly lightness: number
  readonly chroma: number
  /** In radians. */
  readonly hue: number
}

type Triple = readonly [number, number, number]

function channelsOf(color: string): Triple {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
  return [toLinear(red as number), toLinear(green as number), toLinear(blue as number)]
}

function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Converts a color to OKLCH (https://bottosson.github.io/posts/oklab). */
function toOklch(color: string): Oklch {
  const [red, green, blue] = channelsOf(color)
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const b = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  }
}

/** Converts from OKLCH. A color that screens can't show gets less chroma. */
function toHex({ lightness, chroma, hue }: Oklch): string {
  const within = Math.min(1, Math.max(0, lightness))
  for (let left = chroma; left > 0.001; left *= 0.95) {
    const channels = toChannels({ lightness: within, chroma: left, hue })
    if (channels.every((channel) => channel > -0.0005 && channel < 1.0005)) return writeHex(channels)
  }
  return writeHex(toChannels({ lightness: within, chroma: 0, hue }))
}

function toChannels({ lightness, chroma, hue }: Oklch): Triple {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

function writeHex(channels: Triple): string {
  const texts = channels.map((linear) => {
    const channel = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, channel)) * 255)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${texts.join('')}`
}
