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
  IconUsers,
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
  /**
   * `visitor`: only without a session; `link`: for anyone, without a layout; `request`: only with a session, in the layout of the
   * public screens, for requests of others that the user answers; `paid`: only with a paid plan.
   */
  readonly access: 'public' | 'visitor' | 'link' | 'request' | 'user' | 'paid'
  readonly nav?: Pick<NavigationItem, 'label' | 'Icon' | 'group'>
}

/** All screens, in the order of the navigation. */
// biome-ignore format: one line a screen
const screens: readonly Screen[] = [
  { path: '/', access: 'public', page: () => import('../pages/LandingPage.tsx').then((module) => module.LandingPage) },
  { path: '/landing-page', access: 'public', page: () => import('../pages/LandingPage.tsx').then((module) => module.LandingPage) },
  { path: '/register', title: 'Register', access: 'visitor', page: () => import('../pages/RegisterPage.tsx').then((module) => module.RegisterPage) },
  { path: '/login', title: 'Sign In', access: 'public', page: () => import('../pages/LoginPage.tsx').then((module) => module.LoginPage) },
  { path: '/login/flow/:token', title: 'Allow an App', access: 'request', page: () => import('../pages/LoginFlowPage.tsx').then((module) => module.LoginFlowPage) },
  { path: '/sign-in/callback/:provider', title: 'Sign In', access: 'public', page: () => import('../pages/SignInCallbackPage.tsx').then((module) => module.SignInCallbackPage) },
  { path: '/sign-in/confirm/:provider', title: 'Confirm it’s you', access: 'request', page: () => import('../pages/ConfirmThroughProviderPage.tsx').then((module) => module.ConfirmThroughProviderPage) },
  { path: '/two-factor-setup', title: 'Two-factor sign-in', access: 'request', page: () => import('../pages/TwoFactorSetupPage.tsx').then((module) => module.TwoFactorSetupPage) },
  { path: '/invitation', title: 'Invitation', access: 'public', page: () => import('../pages/InvitationPage.tsx').then((module) => module.InvitationPage) },
  { path: '/setup', title: 'Setup', access: 'public', page: () => import('../pages/SetupPage.tsx').then((module) => module.SetupPage) },
  { path: '/activate', title: 'Account Activation', access: 'public', page: () => import('../pages/ActivatePage.tsx').then((module) => module.ActivatePage) },
  { path: '/forgot-password', title: 'Forgot Password', access: 'public', page: () => import('../pages/ForgotPasswordPage.tsx').then((module) => module.ForgotPasswordPage) },
  { path: '/reset-password', title: 'Reset Password', access: 'public', page: () => import('../pages/ResetPasswordPage.tsx').then((module) => module.ResetPasswordPage) },
  { path: '/terms-of-service', title: 'Terms of Service', access: 'public', page: () => import('../pages/TermsOfServicePage.tsx').then((module) => module.TermsOfServicePage) },
  { path: '/privacy-policy', title: 'Privacy Policy', access: 'public', page: () => import('../pages/PrivacyPolicyPage.tsx').then((module) => module.PrivacyPolicyPage) },
  { path: '/goodbye', title: 'Goodbye', access: 'public', page: () => import('../pages/GoodbyePage.tsx').then((module) => module.GoodbyePage) },
  { path: '/profile', title: 'Profile', access: 'user', nav: { label: 'Profile', Icon: IconFolder, group: 'files' }, page: () => import('../pages/ProfilePage.tsx').then((module) => module.ProfilePage), prepare: async (client) => (await import('../features/files/queries.ts')).takeEarlyFiles(client) },
  { path: '/favorites', title: 'Favorites', access: 'user', nav: { label: 'Favorites', Icon: IconHeart, group: 'files' }, page: () => import('../pages/FavoritesPage.tsx').then((module) => module.FavoritesPage) },
  { path: '/vault', title: 'Encrypted Vault', access: 'paid', nav: { label: 'Vault', Icon: IconShieldLock, group: 'files' }, page: () => import('../pages/VaultPage.tsx').then((module) => module.VaultPage) },
  { path: '/music', title: 'Music', access: 'paid', nav: { label: 'Music', Icon: IconMusic, group: 'files' }, page: () => import('../pages/MusicPage.tsx').then((module) => module.MusicPage) },
  { path: '/video', title: 'Video', access: 'paid', nav: { label: 'Video', Icon: IconMovie, group: 'files' }, page: () => import('../pages/VideoPage.tsx').then((module) => module.VideoPage) },
  { path: '/shared-links', title: 'Shared links', access: 'user', nav: { label: 'Shared links', Icon: IconLink, group: 'files' }, page: () => import('../pages/SharedLinksPage.tsx').then((module) => module.SharedLinksPage) },
  { path: '/shared-with-me', title: 'Shared with me', access: 'user', nav: { label: 'Shared with me', Icon: IconUsers, group: 'files' }, page: () => import('../pages/SharedWithMePage.tsx').then((module) => module.SharedWithMePage) },
  { path: '/activity', title: 'Activity', access: 'user', page: () => import('../pages/ActivityPage.tsx').then((module) => module.ActivityPage) },
  { path: '/trash', title: 'Trash', access: 'user', nav: { label: 'Trash', Icon: IconTrash, group: 'files' }, page: () => import('../pages/TrashPage.tsx').then((module) => module.TrashPage) },
  { path: '/s/:token', access: 'link', page: () => import('../pages/SharePage.tsx').then((module) => module.SharePage) },
  { path: '/subscriptions', title: 'Subscriptions', access: 'user', nav: { label: 'Subscriptions', Icon: IconCreditCard, group: 'account' }, page: () => import('../pages/SubscriptionsPage.tsx').then((module) => module.SubscriptionsPage) },
  { path: '/account', title: 'Account', access: 'user', nav: { label: 'Account', Icon: IconUser, group: 'account' }, page: () => import('../pages/AccountPage.tsx').then((module) => module.AccountPage) },
  { path: '/admin/:section?', title: 'Admin', access: 'user', page: () => import('../pages/AdminPage.tsx').then((module) => module.AdminPage) },
  { path: '/connect-app', title: 'Connect an app', access: 'user', page: () => import('../pages/ConnectAppPage.tsx').then((module) => module.ConnectAppPage) },
  { path: '/move-in', title: 'Move in', access: 'user', page: () => import('../pages/MoveInPage.tsx').then((module) => module.MoveInPage) },
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
        children: [
          ...routesFor('public'),
          { Component: RequireVisitor, children: routesFor('visitor') },
          { Component: RequireUser, children: routesFor('request') },
        ],
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
