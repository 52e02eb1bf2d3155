import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useLayoutEffect } from 'react'
import { type DataRouter, RouterProvider } from 'react-router'
import { Dialogs } from '../ui/dialogs/dialogs.tsx'
import { cssVariablesResolver } from './color-roles.ts'
import { queryClient } from './query-client.ts'
import { Toasts } from './Toasts.tsx'
import { theme } from './theme.ts'

interface AppProps {
  readonly router: DataRouter
}

export function App({ router }: AppProps) {
  // What stood in for the program goes in the moment in which that is drawn (first-look/).
  useLayoutEffect(() => document.getElementById('first-look')?.remove(), [])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <Dialogs />
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  )
}
