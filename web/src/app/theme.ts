import { createTheme, defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core'
import { brick, juniper, lamp, night, plaster, rose, sky } from './colors.ts'
import { componentDefaults } from './component-defaults.ts'

const serif = "'Young Serif', 'Young Serif Fallback', Georgia, serif"
const sans = "'Hanken Grotesk Variable', 'Hanken Grotesk Fallback', system-ui, sans-serif"

/**
 * The look of each button variant in terms of the roles: `filled` is primary, `default` secondary, `subtle` quiet, `light`
 * soft green; with `color="brick"` the same for destructive actions.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const isDanger = input.color === 'brick'
  const border = '1px solid transparent'
  if (!isDanger && input.color && input.color !== 'juniper') return defaultVariantColorsResolver(input)
  switch (input.variant) {
    case 'filled':
      return isDanger
        ? {
            background: 'var(--alcove-danger-fill)',
            hover: 'var(--alcove-danger-fill-hover)',
            color: 'var(--alcove-on-danger)',
            border,
          }
        : {
            background: 'var(--alcove-primary)',
            hover: 'var(--alcove-primary-hover)',
            color: 'var(--alcove-on-primary)',
            border,
          }
    case 'default':
      return {
        background: 'var(--alcove-raised)',
        hover: isDanger ? 'var(--alcove-danger-tint)' : 'var(--alcove-hover)',
        color: isDanger ? 'var(--alcove-danger)' : 'var(--alcove-text)',
        border: '1px solid var(--alcove-line-strong)',
      }
    case 'outline':
      return {
        background: 'transparent',
        hover: isDanger ? 'var(--alcove-danger-tint)' : 'var(--alcove-selected)',
        color: isDanger ? 'var(--alcove-danger)' : 'var(--alcove-primary-text)',
        border: `1px solid ${isDanger ? 'var(--alcove-danger)' : 'var(--alcove-selected-ring)'}`,
      }
    case 'light':
      return {
        background: isDanger ? 'var(--alcove-danger-tint)' : 'var(--alcove-selected)',
        hover: isDanger ? 'var(--alcove-danger-plate)' : 'var(--alcove-plate)',
        color: isDanger ? 'var(--alcove-on-danger-tint)' : 'var(--alcove-primary-text)',
        border,
      }
    case 'subtle':
      return {
        background: 'transparent',
        hover: isDanger ? 'var(--alcove-danger-tint)' : 'var(--alcove-press)',
        color: isDanger ? 'var(--alcove-danger)' : 'var(--alcove-text-2)',
        border,
      }
    default:
      return defaultVariantColorsResolver(input)
  }
}

export const theme = createTheme({
  colors: { plaster, gray: plaster, juniper, lamp, rose, brick, sky, dark: night, night },
  primaryColor: 'juniper',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  black: '#2A2421',
  white: '#FFFFFF',
  variantColorResolver,
  fontFamily: sans,
  headings: {
    fontFamily: serif,
    fontWeight: '400',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '2.375rem', lineHeight: '2.875rem' },
      h2: { fontSize: '1.75rem', lineHeight: '2.125rem' },
      h3: { fontSize: '1.5rem', lineHeight: '1.875rem' },
      h4: { fontSize: '1.375rem', lineHeight: '1.75rem' },
      h5: { fontSize: '1rem', lineHeight: '1.375rem' },
      h6: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.333', sm: '1.385', md: '1.429', lg: '1.5', xl: '1.5' },
  fontWeights: { regular: '400', medium: '600', bold: '650' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.25rem', xl: '1.75rem' },
  radius: { xs: '6px', sm: '8px', md: '10px', lg: '16px', xl: '24px' },
  defaultRadius: 'md',
  breakpoints: { xs: '36em', sm: '48em', md: '62em', lg: '80em', xl: '100em' },
  shadows: {
    xs: 'var(--alcove-shadow-low)',
    sm: 'var(--alcove-shadow-low)',
    md: 'var(--alcove-shadow-mid)',
    lg: 'var(--alcove-shadow-high)',
    xl: 'var(--alcove-shadow-high)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: componentDefaults,
})
