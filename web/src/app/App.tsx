import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { type DataRouter, RouterProvider } from 'react-router'
import { Dialogs } from '../ui/dialogs.tsx'
import { cssVariablesResolver } from './color-roles.ts'
import { queryClient } from './query-client.ts'
import { Toasts } from './Toasts.tsx'
import { theme } from './theme.ts'

interface AppProps {
  readonly router: DataRouter
}

export function App({ router }: AppProps) {
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
