import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import { useIsHydrated } from '../../lib/use-is-hydrated.ts'
import { IconButton } from '../../ui/IconButton.tsx'

/** Switches between light and dark, and stores the choice. Until then, the system decides. */
export function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  // Prerendered pages are the same for everyone, so they start with the icon of the light scheme.
  const isDark = useIsHydrated() && scheme === 'dark'
  return (
    <IconButton
      label={isDark ? 'Switch to light theme' : 'Switch to dark theme'}
      size={44}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <IconSun size={20} stroke={1.75} /> : <IconMoon size={20} stroke={1.75} />}
    </IconButton>
  )
}
