import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { type DataRouter, RouterProvider } from 'react-router'
import { lazyModule, useLazyModule } from '../lib/lazy-module.ts'
import { Dialogs } from '../ui/dialogs/dialogs.tsx'
import { cssVariablesResolver } from './colors.ts'
import { queryClient } from './query-client.ts'
import { useShownUser } from './shown-user.ts'
import { theme } from './theme.ts'

interface AppProps {
  readonly router: DataRouter
}

export function App({ router }: AppProps) {
  // Removes the first look (first-look/) at the moment the app replaces it.
  useLayoutEffect(() => document.getElementById('first-look')?.remove(), [])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Dialogs key={useShownUser()} />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  )
}

const place = lazyModule(() => import('./ToastPlace.tsx'), 'soon')

/** The place of toasts. Toasts that are shown before it has loaded wait for it. */
function Toasts() {
  const part = useLazyModule(place, false)
  return part ? <part.ToastPlace /> : null
}
