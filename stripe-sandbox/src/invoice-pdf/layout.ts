/** A4 in points, and the palette of the product. */
export const LEFT = 56
export const RIGHT = 595.28 - 56
export const WIDTH = RIGHT - LEFT
export const BAND = 36
export const TOP = BAND + 40
/** Below this a page is full. */
export const BOTTOM = 841.89 - 100

export const colors = {
  text: '#2A2421',
  quiet: '#665B57',
  line: '#DDD1CC',
  juniper: '#1C5141',
  juniperDark: '#0C2921',
  light: '#F4AC37',
  lamp: '#FEDB96',
  lampDark: '#4F2B13',
  lampLight: '#FEEDC9',
} as const

/** Young Serif's own figures are of old style; ours stand on the line. */
export const LINING: PDFKit.Mixins.OpenTypeFeatures[] = ['lnum']
