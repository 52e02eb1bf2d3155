/** The layouts of the file manager, by the media query that tells each from those after it. */
export const screens = {
  phone: '(max-width: 35.99em)',
  wide: '(min-width: 62em)',
  middle: 'all',
} as const

export type Screen = keyof typeof screens
