import type { MantineColorsTuple } from '@mantine/core'

/** Ten steps each, 0 to 9. Components use the roles of `color-roles.ts`, not these. */
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
