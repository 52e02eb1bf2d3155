/** The roles of colour that letters use: what a role paints, in a light and in a dark room. */
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

export type Role = keyof typeof roles

const names = Object.keys(roles) as Role[]

/** Attributes that give an element roles, with more of its own style: inline for all, by class for the dark. */
export function paint(role: Role | readonly Role[], style = '', otherClass = ''): string {
  const all = typeof role === 'string' ? [role] : role
  const colors = all.map((name) => `${roles[name].property}:${roles[name].light}`)
  // The attribute too: Outlook on Windows takes the colour of a cell from it.
  const background = all.find((name) => roles[name].property === 'background-color')
  const cell = background ? ` bgcolor="${roles[background].light}"` : ''
  return `class="${[...all, otherClass].filter(Boolean).join(' ')}"${cell} style="${[...colors, style].filter(Boolean).join(';')}"`
}

/** The dark room, for readers that ask the system. */
export const darkRules = names.map((name) => darkRule('', name)).join('\n')

/** The dark room again, for Outlook's pages: they mark what they have repainted by themselves with these attributes. */
export const outlookDarkRules = names
  .map((name) => darkRule(roles[name].property === 'color' ? '[data-ogsc] ' : '[data-ogsb] ', name))
  .join('\n')

function darkRule(prefix: string, name: Role): string {
  return `${prefix}.${name} { ${roles[name].property}: ${roles[name].dark} !important }`
}
