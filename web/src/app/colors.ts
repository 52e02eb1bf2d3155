import type { CSSVariablesResolver, MantineColorsTuple } from '@mantine/core'

/** The palette, in ten steps each, 0 to 9. Components use the roles below instead. */
export const plaster: MantineColorsTuple = [
  '#FCFAF8',
  '#F6F0EC',
  '#EFE7E2',
  '#E5DAD3',
  '#D6C9C4',
  '#B2A49F',
  '#8C7F7A',
  '#665B57',
  '#473D3A',
  '#2A2421',
]
export const juniper: MantineColorsTuple = [
  '#EDF8F3',
  '#D6EFE4',
  '#B4DECC',
  '#8BC4AD',
  '#61A58C',
  '#3D846B',
  '#286854',
  '#1C5141',
  '#133E32',
  '#0C2921',
]
export const lamp: MantineColorsTuple = [
  '#FFF8EA',
  '#FEEDC9',
  '#FEDB96',
  '#FCC35D',
  '#F4AC37',
  '#DE9227',
  '#BB731D',
  '#965719',
  '#744119',
  '#4F2B13',
]
export const rose: MantineColorsTuple = [
  '#FEF1F3',
  '#FFE0E4',
  '#FFC5CD',
  '#FE9EAD',
  '#F77187',
  '#E44A65',
  '#C6304B',
  '#A3263A',
  '#7D1D2B',
  '#52151A',
]
export const brick: MantineColorsTuple = [
  '#FEF2F0',
  '#FFE0DB',
  '#FFC3B8',
  '#FF9989',
  '#F06D5B',
  '#D64938',
  '#BA3728',
  '#9C2C20',
  '#7B241A',
  '#501912',
]
export const sky: MantineColorsTuple = [
  '#EDF7FD',
  '#D4EDFC',
  '#ADDCF8',
  '#7DC2EC',
  '#50A5D8',
  '#2E85BA',
  '#1F6B9B',
  '#1C547C',
  '#19405F',
  '#13293E',
]
export const night: MantineColorsTuple = [
  '#EEF2EE',
  '#CBD4CE',
  '#AAB7B0',
  '#687871',
  '#46564F',
  '#2D3A34',
  '#1B2621',
  '#131C18',
  '#0F1714',
  '#0A110F',
]

/**
 * The roles of colors, for both schemes: [light, dark]. Each role becomes the CSS variable `--alcove-<role>`.
 * The contrast of the text roles on wall and panel was measured: change them only together.
 */
const roles = {
  wall: ['#F6F0EC', '#0A110F'],
  panel: ['#FFFFFF', '#131C18'],
  raised: ['#FFFFFF', '#1B2621'],
  sunk: ['#F9F5F3', '#0F1714'],
  hover: ['#F6F0ED', '#1B2521'],
  press: ['#EFE7E3', '#222E29'],

  text: ['#2A2421', '#EEF2EE'],
  'text-2': ['#665B57', '#AAB7B0'],
  'text-3': ['#776B66', '#8B9A92'],

  line: ['#ECE3DF', '#202B26'],
  'line-strong': ['#DDD1CC', '#2D3A34'],
  'input-border': ['#8E827D', '#687871'],

  primary: ['#1C5141', '#8BC4AD'],
  'primary-hover': ['#133E32', '#A6D6C2'],
  'on-primary': ['#FFFFFF', '#0C2921'],
  'primary-text': ['#286854', '#8BC4AD'],
  selected: ['#EDF8F3', '#15261F'],
  'selected-ring': ['#3D846B', '#4C8E77'],
  plate: ['#D6EFE4', '#1D3A2F'],

  danger: ['#BA3728', '#FF9989'],
  'danger-fill': ['#BA3728', '#FF9989'],
  'danger-fill-hover': ['#9C2C20', '#FFC3B8'],
  'on-danger': ['#FFFFFF', '#501912'],
  'danger-tint': ['#FEF2F0', '#2D1814'],
  'danger-plate': ['#FFE0DB', '#43201A'],
  'on-danger-tint': ['#9C2C20', '#FF9989'],

  heart: ['#C6304B', '#F77187'],
  lamp: ['#F4AC37', '#FCC35D'],
  warning: ['#965719', '#FCC35D'],
  'warning-tint': ['#FFF8EA', '#2A2113'],
  focus: ['#1C5141', '#FCC35D'],
  bar: ['#0C2921', '#25332D'],
  scrim: ['rgb(16 30 24 / 48%)', 'rgb(4 8 7 / 66%)'],

  paper: ['#FFFFFF', '#26332D'],
  'paper-line': ['#DDD1CC', '#3A4942'],
  'on-type': ['#FFFFFF', '#0F1714'],
  'type-pdf': ['#BA3728', '#FF9989'],
  'type-doc': ['#1F6B9B', '#7DC2EC'],
  'type-image': ['#1F6B9B', '#7DC2EC'],
  'type-sheet': ['#286854', '#8BC4AD'],
  'type-slides': ['#965719', '#FCC35D'],
  'type-audio': ['#7C4A88', '#CBA3D4'],
  'type-video': ['#A3263A', '#FE9EAD'],
  'type-archive': ['#744119', '#E2B07A'],
  'type-other': ['#665B57', '#AAB7B0'],

  'shadow-low': ['0 1px 2px rgb(74 44 32 / 6%)', '0 1px 2px rgb(0 0 0 / 30%)'],
  'shadow-mid': [
    '0 2px 4px rgb(74 44 32 / 5%), 0 8px 20px -6px rgb(74 44 32 / 14%)',
    '0 2px 4px rgb(0 0 0 / 24%), 0 8px 20px -6px rgb(0 0 0 / 60%)',
  ],
  'shadow-high': [
    '0 4px 8px rgb(74 44 32 / 5%), 0 24px 56px -12px rgb(74 44 32 / 30%)',
    '0 0 0 1px rgb(255 255 255 / 5%), 0 4px 8px rgb(0 0 0 / 24%), 0 24px 56px -12px rgb(0 0 0 / 80%)',
  ],
  'shadow-inset': [
    'inset 7px 9px 20px -10px rgb(74 44 32 / 15%), inset 0 0 0 1px #ECE3DF',
    'inset 7px 9px 20px -10px rgb(0 0 0 / 55%), inset 0 0 0 1px #202B26',
  ],
} as const satisfies Record<string, readonly [light: string, dark: string]>

type Role = keyof typeof roles

function variables(scheme: 0 | 1): Record<`--alcove-${string}`, string> {
  return Object.fromEntries((Object.keys(roles) as Role[]).map((role) => [`--alcove-${role}`, roles[role][scheme]]))
}

/** Mantine's own variables, in terms of the roles, so that its components follow the dark scheme. */
const mantineVariables = {
  '--mantine-color-body': 'var(--alcove-raised)',
  '--mantine-color-text': 'var(--alcove-text)',
  '--mantine-color-bright': 'var(--alcove-text)',
  '--mantine-color-dimmed': 'var(--alcove-text-2)',
  '--mantine-color-placeholder': 'var(--alcove-text-3)',
  '--mantine-color-error': 'var(--alcove-danger)',
  '--mantine-color-success': 'var(--alcove-primary-text)',
  '--mantine-color-anchor': 'var(--alcove-primary-text)',
  '--mantine-color-default': 'var(--alcove-raised)',
  '--mantine-color-default-hover': 'var(--alcove-hover)',
  '--mantine-color-default-color': 'var(--alcove-text)',
  '--mantine-color-default-border': 'var(--alcove-line-strong)',
  '--mantine-color-disabled': 'var(--alcove-press)',
  '--mantine-color-disabled-color': 'var(--alcove-text-2)',
  '--mantine-color-disabled-border': 'var(--alcove-line-strong)',
  '--mantine-primary-color-filled': 'var(--alcove-primary)',
  '--mantine-primary-color-filled-hover': 'var(--alcove-primary-hover)',
  '--mantine-primary-color-contrast': 'var(--alcove-on-primary)',
  '--mantine-primary-color-light': 'var(--alcove-selected)',
  '--mantine-primary-color-light-hover': 'var(--alcove-plate)',
  '--mantine-primary-color-light-color': 'var(--alcove-primary-text)',
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: { ...variables(0), ...mantineVariables },
  dark: { ...variables(1), ...mantineVariables },
})
