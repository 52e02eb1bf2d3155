import { type SignUpMode, signUpModes } from '@alcove/contract/sign-up-modes'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter } from 'react-router'
import { App } from './app/App.tsx'
import { queryClient } from './app/query-client.ts'
import { loadScreen, routes, titleOf } from './app/router.tsx'
import { assumeSignUp } from './lib/sign-up.ts'
import { assumePlans } from './lib/site.ts'

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

/** What decides how the public pages look. */
interface Site {
  readonly signUp: SignUpMode
  readonly plans: 'on' | 'off'
}

/** Every kind of server. The first one is the default. */
export const sites: readonly Site[] = signUpModes.flatMap((signUp) => [
  { signUp, plans: 'on' },
  { signUp, plans: 'off' },
])

/** Renders a page as a visitor without a session sees it first. Runs at build time, in Node. */
export async function prerender(path: string, site: Site): Promise<{ html: string; title: string }> {
  assumeSignUp(site.signUp)
  assumePlans(site.plans === 'on')
  await loadScreen({ pathname: path }, queryClient)
  const router = createMemoryRouter(routes, { initialEntries: [path] })
  const html = renderToString(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  )
  return { html, title: titleOf(path) }
}
