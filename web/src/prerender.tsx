import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter } from 'react-router'
import { App } from './app/App.tsx'
import { queryClient } from './app/query-client.ts'
import { loadScreen, routes, titleOf } from './app/router.tsx'

export { renderFirstLook } from './first-look/render-first-look.tsx'

/** The pages that are the same for every visitor until the program runs. */
export const prerenderedPaths: readonly string[] = [
  '/',
  '/landing-page',
  '/login',
  '/register',
  '/forgot-password',
  '/terms-of-service',
  '/privacy-policy',
]

/** Renders a page as a visitor without a session sees it first. Runs at build time, in Node. */
export async function prerender(path: string): Promise<{ html: string; title: string }> {
  await loadScreen({ pathname: path }, queryClient)
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  const html = renderToString(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  )
  return { html, title: titleOf(path) }
}
