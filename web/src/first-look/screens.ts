/** The layouts of the file manager and their media queries. The first that matches applies. */
export const screens = {
  phone: '(max-width: 35.99em)',
  wide: '(min-width: 62em)',
  middle: 'all',
} as const

export type Screen = keyof typeof screens
