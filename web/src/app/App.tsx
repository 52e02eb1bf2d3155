import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router'
import { cssVariablesResolver } from './color-roles.ts'
import { queryClient } from './query-client.ts'
import { router } from './router.tsx'
import { theme } from './theme.ts'

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <RouterProvider router={router} />
        </ModalsProvider>
        <Notifications position="bottom-center" containerWidth={360} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
