import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './app/global.css'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { App } from './app/App.tsx'
import { requestFonts } from './app/fonts.ts'
import { queryClient } from './app/query-client.ts'
import { loadScreen, routes } from './app/router.tsx'
import { keepOverlaysOutOf, watchOverlayHistory } from './ui/dialogs/overlay-history.ts'

async function start(): Promise<void> {
  const container = document.getElementById('root')
  if (!container) throw new Error('index.html has no element with the id root')
  requestFonts()
  // With its screen there, the router renders at once what a prerendered page shows already. Should that fail to load,
  // the router tries again and reports it.
  await loadScreen(window.location, queryClient).catch(() => undefined)
  watchOverlayHistory()
  const router = createBrowserRouter(routes)
  keepOverlaysOutOf(router)
  const app = (
    <StrictMode>
      <App router={router} />
    </StrictMode>
  )
  // A transition is rendered in small steps, between which the browser can answer the user.
  startTransition(() => {
    if (container.hasChildNodes()) hydrateRoot(container, app)
    else createRoot(container).render(app)
  })
}

// Not awaited: the screens import what stands in the same file as this module, and would wait for it.
void start()
