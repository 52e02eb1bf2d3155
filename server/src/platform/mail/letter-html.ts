import { deriveAccent } from '@alcove/contract/accent'
import { escapeHtml } from '../format.ts'
import type { Brand } from './brand.ts'

/** The content of a mail. Each text is one plain paragraph. `letterHtml` and `letterText` decide how it looks. */
export interface Letter {
  /** The kind in the outbox's file names: lower-case letters and hyphens. */
  kind: string
  to: string
  subject: string
  /** Mail programs show it after the subject in their lists. */
  preview: string
  heading: string
  paragraphs: readonly string[]
  /** Labels and their values. */
  details?: readonly Detail[]
  /** The one thing to do. */
  action?: { text: string; url: string }
  closing: readonly string[]
}

export type Detail = readonly [label: string, value: string]

/** No fonts are fetched: readers who have ours see them, others see the fallbacks. */
const SERIF = "font-family:'Young Serif',Georgia,'Times New Roman',serif"
const SANS = "font-family:'Hanken Grotesk',-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const BODY = `margin:0 0 16px;${SANS};font-size:16px;line-height:25px`
const SMALL = `margin:0 0 12px;${SANS};font-size:14px;line-height:21px`

const NAME = `${SERIF};font-size:25px;line-height:31px`

const TABLE = 'role="presentation" border="0" cellpadding="0" cellspacing="0"'

/**
 * Writes a letter for mail programs, which support only old HTML: tables, and styles on each element, since some drop the head.
 * The head only adds a dark scheme and smaller margins on phones.
 */
export function letterHtml(letter: Letter, brand: Brand): string {
  const { to, subject, preview, heading, paragraphs, details, action, closing } = letter
  const colors = colorsOf(brand)
  const paint = painterOf(colors)
  const small = (text: string) => `<p ${paint('quiet', `${SMALL};overflow-wrap:anywhere`)}>${escapeHtml(text)}</p>`
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapeHtml(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (max-width: 480px) {
.edge { padding-left: 24px !important; padding-right: 24px !important }
.room { padding-left: 8px !important; padding-right: 8px !important }
}
</style>
<style>
@media (prefers-color-scheme: dark) {
${darkRules(colors)}
}
</style>
<style>
${outlookDarkRules(colors)}
</style>
</head>
<body ${paint('wall', 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
${hiddenPreview(preview)}
<table ${TABLE} width="100%" ${paint(['wall', 'text'])}><tr>
<td class="room" align="center" style="padding:28px 16px 40px">
<!--[if mso]><table ${TABLE} width="600"><tr><td><![endif]-->
<table ${TABLE} width="100%" style="max-width:600px"><tr>
<td class="edge" align="left" style="padding:0 44px 20px">
${letterhead(paint, brand)}
</td></tr><tr>
<td align="left" ${paint('panel', 'border-radius:44px 20px 20px 20px;padding:44px 44px 32px', 'edge')}>
<h1 ${paint('text', `margin:0 0 16px;${SERIF};font-size:28px;font-weight:400;line-height:34px`)}>${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p ${paint('text', BODY)}>${escapeHtml(text)}</p>`).join('\n')}
${details ? factTable(paint, details) : ''}${action ? button(paint, action) : ''}${closing.map(small).join('\n')}
</td></tr><tr>
<td class="edge" align="left" style="padding:20px 44px 0">
${small(describeReason(to, brand.name))}
</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>
`
}

/** Says why the recipient gets the letter. */
export function describeReason(to: string, name: string): string {
  return `This email was sent to ${to} because it concerns an account at ${name}.`
}

/** The preview in lists of mails. The spaces after it keep the beginning of the letter out of the preview. */
function hiddenPreview(preview: string): string {
  const blanks = '&#847;&zwnj;&nbsp;'.repeat(40)
  const hidden =
    'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;mso-hide:all;font-size:1px;line-height:1px'
  return `<div style="${hidden}">${escapeHtml(preview)}</div>
<div style="${hidden}" aria-hidden="true">${blanks}</div>`
}

/** The logo and the name. The alternative text shows if images are blocked. */
function letterhead(paint: Paint, { name, logo }: Brand): string {
  if (!logo) return arch(paint, name)
  const height = logo.showsName ? 32 : 40
  const width = Math.min(240, Math.round((height * logo.width) / logo.height))
  const image = `<img src="${escapeHtml(logo.url)}" width="${width}" alt="${logo.showsName ? '' : escapeHtml(name)}" style="display:block;width:${width}px;height:auto;border:0;font-size:25px">`
  const text = `<td valign="middle" ${paint('text', `padding:0 0 0 12px;${NAME}`)}>${escapeHtml(name)}</td>`
  return `<table ${TABLE}><tr><td valign="middle" ${paint('text', NAME)}>${image}</td>
${logo.showsName ? text : ''}</tr></table>`
}

/** The arch and the name. They are nested cells instead of a picture, so that they show even if images are blocked. */
function arch(paint: Paint, name: string): string {
  const box = (role: 'arch' | 'niche' | 'lamp', width: number, height: number, inset: number, content: string) => {
    const shape = `border-radius:${width / 2}px ${width / 2}px 0 0;padding:0 ${inset}px 0 0;font-size:0;line-height:0`
    return `<table ${TABLE} width="${width}"><tr>
<td width="${width}" height="${height}" align="right" valign="bottom" ${paint(role, shape)}>${content}</td></tr></table>`
  }
  const mark = box('arch', 28, 31, 4, box('niche', 16, 22, 2, box('lamp', 12, 19, 0, '&nbsp;')))
  return `<table ${TABLE}><tr><td valign="bottom" aria-hidden="true">${mark}</td>
<td valign="middle" ${paint('text', `padding:0 0 0 12px;${NAME}`)}>${escapeHtml(name)}</td></tr></table>`
}

function factTable(paint: Paint, details: readonly Detail[]): string {
  const cell = `padding:10px 8px 10px 16px;${SANS};font-size:15px;line-height:22px`
  const rows = details.map(([label, value], index) => {
    const line = index === 0 ? cell : `${cell};border-top-width:1px;border-top-style:solid`
    return `<tr><td width="32%" align="left" valign="top" ${paint(['line', 'quiet'], line)}>${escapeHtml(label)}</td>
<td align="left" valign="top" ${paint(['line', 'text'], `${line};font-weight:600;overflow-wrap:anywhere;word-break:break-word`)}>${escapeHtml(value)}</td></tr>`
  })
  return `<table ${TABLE} width="100%" ${paint('sunk', 'margin:4px 0 24px;border-radius:12px;border-collapse:separate')}>
${rows.join('\n')}
</table>
`
}

function button(paint: Paint, { text, url }: { text: string; url: string }): string {
  const href = escapeHtml(url)
  const label = `display:inline-block;padding:14px 26px;border-radius:10px;${SANS};font-size:16px;line-height:20px;font-weight:600;text-decoration:none`
  return `<table ${TABLE} style="margin:8px 0 20px"><tr>
<td align="center" ${paint('button', 'border-radius:10px;mso-padding-alt:14px 26px')}><a href="${href}" target="_blank" ${paint('onButton', label)}>${escapeHtml(text)}</a></td>
</tr></table>
<p ${paint('quiet', SMALL)}>Or open this address:<br>
<a href="${href}" target="_blank" ${paint('link', 'overflow-wrap:anywhere;word-break:break-all')}>${href}</a></p>
`
}

/** The roles of colour in letters: the property that each sets, in the light and in the dark scheme. */
const roles = {
  wall: { property: 'background-color', light: '#F6F0EC', dark: '#0A110F' },
  panel: { property: 'background-color', light: '#FFFFFF', dark: '#131C18' },
  sunk: { property: 'background-color', light: '#F9F5F3', dark: '#0F1714' },
  button: { property: 'background-color', light: '#1C5141', dark: '#8BC4AD' },
  arch: { property: 'background-color', light: '#1C5141', dark: '#8BC4AD' },
  niche: { property: 'background-color', light: '#0C2921', dark: '#286854' },
  lamp: { property: 'background-color', light: '#F4AC37', dark: '#F4AC37' },
  line: { property: 'border-color', light: '#ECE3DF', dark: '#202B26' },
  text: { property: 'color', light: '#2A2421', dark: '#EEF2EE' },
  quiet: { property: 'color', light: '#665B57', dark: '#AAB7B0' },
  link: { property: 'color', light: '#286854', dark: '#8BC4AD' },
  onButton: { property: 'color', light: '#FFFFFF', dark: '#0C2921' },
} as const

type Role = keyof typeof roles
type Colors = Readonly<Record<Role, { property: string; light: string; dark: string }>>

const names = Object.keys(roles) as Role[]

/** Returns the colors of a letter: those of the product, with the operator's accent. */
function colorsOf({ accent }: Brand): Colors {
  if (accent === null) return roles
  const { light, dark, shades } = deriveAccent(accent)
  const pair = (role: Role, ...[ofLight, ofDark]: [string, string]) => ({
    ...roles[role],
    light: ofLight,
    dark: ofDark,
  })
  return {
    ...roles,
    button: pair('button', light.primary, dark.primary),
    onButton: pair('onButton', light['on-primary'], dark['on-primary']),
    link: pair('link', light['primary-text'], dark['primary-text']),
    arch: pair('arch', light.primary, dark.primary),
    niche: pair('niche', shades[9], shades[6]),
  }
}

/**
 * Returns the attributes that give an element roles, plus further styles: inline for the light scheme, by class for the dark
 * one.
 */
type Paint = (role: Role | readonly Role[], style?: string, otherClass?: string) => string

function painterOf(colors: Colors): Paint {
  return (role, style = '', otherClass = '') => {
    const all = typeof role === 'string' ? [role] : role
    const styles = all.map((name) => `${colors[name].property}:${colors[name].light}`)
    // Outlook on Windows reads the colour of a cell from this attribute.
    const background = all.find((name) => colors[name].property === 'background-color')
    const cell = background ? ` bgcolor="${colors[background].light}"` : ''
    return `class="${[...all, otherClass].filter(Boolean).join(' ')}"${cell} style="${[...styles, style].filter(Boolean).join(';')}"`
  }
}

/** The dark scheme, for mail programs that follow the system. */
function darkRules(colors: Colors): string {
  return names.map((name) => darkRule('', name, colors)).join('\n')
}

/** The dark scheme for Outlook's web pages, which mark what they have recoloured with these attributes. */
function outlookDarkRules(colors: Colors): string {
  return names
    .map((name) => darkRule(colors[name].property === 'color' ? '[data-ogsc] ' : '[data-ogsb] ', name, colors))
    .join('\n')
}

function darkRule(prefix: string, name: Role, colors: Colors): string {
  return `${prefix}.${name} { ${colors[name].property}: ${colors[name].dark} !important }`
}
