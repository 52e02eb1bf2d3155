import { type AccentRole, deriveAccent } from '@alcove/contract/accent'
import type { AppearanceSetting } from './appearance.ts'
import { LOGO_PATH } from './brand-paths.ts'

/** The colors of the palette that drawings use, by the number of the shade that takes their place. */
const drawn = {
  3: '#8BC4AD',
  4: '#61A58C',
  5: '#3D846B',
  6: '#286854',
  7: '#1C5141',
  8: '#133E32',
  9: '#0C2921',
} as const

/** A name of this many characters has space beside the logo. */
const SHORT_NAME = 10

/**
 * Returns the rules by which a page shows the operator's color and logo from its first paint. The page itself stays the same, so
 * pages without them have nothing to load for this. The web marks its logo with `data-mark`.
 */
export function writeBrandStyle({ name, accent, logo, showsName }: AppearanceSetting): string {
  return [
    accent === null ? '' : accentRules(accent),
    logo ? logoRules(logo, showsName) : '',
    name.length > SHORT_NAME ? longNameRules(name) : '',
  ].join('')
}

function accentRules(accent: string): string {
  const { light, dark, shades } = deriveAccent(accent)
  const roles = (colors: Readonly<Record<AccentRole, string>>) =>
    Object.entries(colors)
      .map(([role, color]) => `--alcove-${role}:${color}`)
      .join(';')
  const numbers = Object.keys(drawn).map(Number) as (keyof typeof drawn)[]
  return [
    // The program sets its own colors with one selector less.
    `:root:root[data-mantine-color-scheme=light]{${roles(light)}}`,
    `:root:root[data-mantine-color-scheme=dark]{${roles(dark)}}`,
    `:root{${numbers.map((number) => `--accent-${number}:${shades[number]}`).join(';')}}`,
    ...numbers.map(
      (number) =>
        `[fill="${drawn[number]}"]{fill:${shades[number]}}[stop-color="${drawn[number]}"]{stop-color:${shades[number]}}`,
    ),
  ].join('')
}

function logoRules({ hash, width, height }: NonNullable<AppearanceSetting['logo']>, showsName: boolean): string {
  const ratio = Number((width / height).toFixed(3))
  // A wide logo has the name in it, so it may be larger than a mark beside the name.
  const tall = showsName ? 1.2 : 1.5
  const wide = `min(${Number((tall * ratio).toFixed(3))}em,9em)`
  return [
    `[data-mark]{width:${wide}!important;height:${tall}em!important;background:url(${LOGO_PATH}?v=${hash}) left center/contain no-repeat;flex:none}`,
    '[data-mark]>*{display:none}',
    showsName ? '' : '[data-mark]+span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}',
  ].join('')
}

/** A long name is smaller, and takes at most two lines. The drawings of the product on the landing page contain it too. */
function longNameRules({ length }: string): string {
  const size = length > 2 * SHORT_NAME ? 0.66 : 0.82
  return [
    `[data-mark]{flex:none}[data-mark]+span{font-size:${size}em;line-height:1.15;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden;overflow-wrap:anywhere}`,
    `[data-name]{font-size:${Math.max(4, (12 * SHORT_NAME) / length).toFixed(1)}px}`,
  ].join('')
}
