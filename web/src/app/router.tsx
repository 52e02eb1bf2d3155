import {
  IconCreditCard,
  IconFolder,
  IconHeart,
  IconLink,
  IconMovie,
  IconMusic,
  IconShieldLock,
  IconTrash,
  IconUser,
} from '@tabler/icons-react'
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { type Location, matchRoutes, Navigate, type RouteObject } from 'react-router'
import { RequirePaid, RequireUser, RequireVisitor } from './guards.tsx'
import type { NavigationItem } from './layout/NavigationList.tsx'
import { Root, RouteError, windowTitle } from './Root.tsx'

interface Screen {
  readonly path: string
  /** The title of the window. Without one, it is only the name of the product. */
  readonly title?: string
  readonly page: () => Promise<ComponentType>
  /** Runs before a visit starts with the screen. The first rendering waits for it, but not for long. */
  readonly prepare?: (queryClient: QueryClient) => Promise<void>
  /** `visitor`: only without a session; `link`: for anyone, without a layout; `paid`: only with a paid plan. */
  readonly access: 'public' | 'visitor' | 'link' | 'user' | 'paid'
  readonly nav?: Pick<NavigationItem, 'label' | 'Icon' | 'group'>
}

/** All screens, in the order of the navigation. */
// biome-ignore format: one line a screen
const screens: readonly Screen[] = [
  { path: '/', access: 'public', page: async () => (await import('../pages/LandingPage.tsx')).LandingPage },
  { path: '/landing-page', access: 'public', page: async () => (await import('../pages/LandingPage.tsx')).LandingPage },
  { path: '/register', title: 'Register', access: 'visitor', page: async () => (await import('../pages/RegisterPage.tsx')).RegisterPage },
  { path: '/login', title: 'Sign In', access: 'public', page: async () => (await import('../pages/LoginPage.tsx')).LoginPage },
  { path: '/activate', title: 'Account Activation', access: 'public', page: async () => (await import('../pages/ActivatePage.tsx')).ActivatePage },
  { path: '/forgot-password', title: 'Forgot Password', access: 'public', page: async () => (await import('../pages/ForgotPasswordPage.tsx')).ForgotPasswordPage },
  { path: '/reset-password', title: 'Reset Password', access: 'public', page: async () => (await import('../pages/ResetPasswordPage.tsx')).ResetPasswordPage },
  { path: '/terms-of-service', title: 'Terms of Service', access: 'public', page: async () => (await import('../pages/TermsOfServicePage.tsx')).TermsOfServicePage },
  { path: '/privacy-policy', title: 'Privacy Policy', access: 'public', page: async () => (await import('../pages/PrivacyPolicyPage.tsx')).PrivacyPolicyPage },
  { path: '/goodbye', title: 'Goodbye', access: 'public', page: async () => (await import('../pages/GoodbyePage.tsx')).GoodbyePage },
  { path: '/profile', title: 'Profile', access: 'user', nav: { label: 'Profile', Icon: IconFolder, group: 'files' }, page: async () => (await import('../pages/ProfilePage.tsx')).ProfilePage, prepare: async (client) => (await import('../features/files/queries.ts')).takeEarlyFiles(client) },
  { path: '/favorites', title: 'Favorites', access: 'user', nav: { label: 'Favorites', Icon: IconHeart, group: 'files' }, page: async () => (await import('../pages/FavoritesPage.tsx')).FavoritesPage },
  { path: '/vault', title: 'Encrypted Vault', access: 'paid', nav: { label: 'Vault', Icon: IconShieldLock, group: 'files' }, page: async () => (await import('../pages/VaultPage.tsx')).VaultPage },
  { path: '/music', title: 'Music', access: 'paid', nav: { label: 'Music', Icon: IconMusic, group: 'files' }, page: async () => (await import('../pages/MusicPage.tsx')).MusicPage },
  { path: '/video', title: 'Video', access: 'paid', nav: { label: 'Video', Icon: IconMovie, group: 'files' }, page: async () => (await import('../pages/VideoPage.tsx')).VideoPage },
  { path: '/shared-links', title: 'Shared links', access: 'user', nav: { label: 'Shared links', Icon: IconLink, group: 'files' }, page: async () => (await import('../pages/SharedLinksPage.tsx')).SharedLinksPage },
  { path: '/trash', title: 'Trash', access: 'user', nav: { label: 'Trash', Icon: IconTrash, group: 'files' }, page: async () => (await import('../pages/TrashPage.tsx')).TrashPage },
  { path: '/s/:token', access: 'link', page: async () => (await import('../pages/SharePage.tsx')).SharePage },
  { path: '/subscriptions', title: 'Subscriptions', access: 'user', nav: { label: 'Subscriptions', Icon: IconCreditCard, group: 'account' }, page: async () => (await import('../pages/SubscriptionsPage.tsx')).SubscriptionsPage },
  { path: '/account', title: 'Account', access: 'user', nav: { label: 'Account', Icon: IconUser, group: 'account' }, page: async () => (await import('../pages/AccountPage.tsx')).AccountPage },
  { path: '/connect-app', title: 'Connect an app', access: 'user', page: async () => (await import('../pages/ConnectAppPage.tsx')).ConnectAppPage },
]

function routesFor(access: Screen['access']): RouteObject[] {
  return screens
    .filter((screen) => screen.access === access)
    .map(({ path, title, page }) => ({ path, handle: { title }, lazy: async () => ({ Component: await page() }) }))
}

export const navigation = screens.flatMap(({ path, access, nav }) =>
  nav ? [{ ...nav, path, isPaid: access === 'paid' }] : [],
)

/** The routes. Screens and layouts are loaded when they are first shown. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteError,
    HydrateFallback: () => null,
    children: [
      {
        lazy: async () => {
          const { PublicLayout } = await import('./layout/PublicLayout.tsx')
          return { element: <PublicLayout navigation={navigation} /> }
        },
        children: [...routesFor('public'), { Component: RequireVisitor, children: routesFor('visitor') }],
      },
      {
        Component: RequireUser,
        children: [
          {
            lazy: async () => {
              const { AppLayout } = await import('./layout/AppLayout.tsx')
              return { element: <AppLayout navigation={navigation} /> }
            },
            children: [...routesFor('user'), { Component: RequirePaid, children: routesFor('paid') }],
          },
        ],
      },
      ...routesFor('link'),
      { path: '*', element: <Navigate to="/" replace /> },
    ],
  },
]

/** The time the first rendering waits for `prepare`, in milliseconds. */
const MAX_PREPARATION_TIME = 1000

/** Loads the layout and the screen of an address, so that a router that starts there can render them at once. */
export async function loadScreen(location: Pick<Location, 'pathname'>, queryClient: QueryClient): Promise<void> {
  const matches = matchRoutes(routes, location) ?? []
  const prepare = screens.find(({ path }) => path === matches.at(-1)?.route.path)?.prepare
  await Promise.all([
    ...matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'function') return
      Object.assign(route, await route.lazy(), { lazy: undefined })
    }),
    prepare &&
      Promise.race([prepare(queryClient), new Promise((resolve) => setTimeout(resolve, MAX_PREPARATION_TIME))]),
  ])
}

/** Returns the title of the window at an address. */
export function titleOf(pathname: string): string {
  return windowTitle(matchRoutes(routes, pathname)?.at(-1)?.route.handle?.title)
}
