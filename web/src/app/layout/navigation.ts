import type { TablerIcon } from '@tabler/icons-react'
import { isPaid, useSession } from '../../api/session.ts'

/** A place of the signed-in navigation. */
export interface NavigationItem {
  readonly path: string
  readonly label: string
  readonly Icon: TablerIcon
  /** `files` stands at the top, `account` at the foot together with Sign Out. */
  readonly group: 'files' | 'account'
  readonly isPaid: boolean
}

/** The places that the user's plan shows. */
export function useVisibleNavigation(navigation: readonly NavigationItem[]): readonly NavigationItem[] {
  const session = useSession()
  return isPaid(session) ? navigation : navigation.filter((item) => !item.isPaid)
}
