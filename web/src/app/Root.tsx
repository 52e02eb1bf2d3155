import { useDocumentTitle } from '@mantine/hooks'
import { type Location, Outlet, ScrollRestoration, type UIMatch, useMatches } from 'react-router'
import { SessionExpiredOverlay } from './SessionExpiredOverlay.tsx'

export function Root() {
  const matches = useMatches() as UIMatch<unknown, { title?: string } | undefined>[]
  const title = matches.at(-1)?.handle?.title
  useDocumentTitle(title ? `${title} · Alcove` : 'Alcove')
  return (
    <>
      <Outlet />
      <SessionExpiredOverlay />
      <ScrollRestoration getKey={placeOf} />
    </>
  )
}

/** Where a scroll position belongs; the first screen of a visit has no key of its own but its address. */
function placeOf({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key
}
