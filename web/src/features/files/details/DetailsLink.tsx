import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Arrival } from '../../../items/grid/arrivals.ts'
import { afterDialogs, isDialogOpen } from '../../../ui/dialogs/open-layers.ts'
import styles from './DetailsPane.module.css'
import { hideSheet } from './details-state.ts'

interface DetailsLinkProps {
  readonly to: string
  /** The item that gets the focus there. */
  readonly arrivalId?: string
  readonly children: ReactNode
}

/** A link from the details to another page. It closes the sheet first, which covers the page and keeps the focus. */
export function DetailsLink({ to, arrivalId, children }: DetailsLinkProps) {
  const navigate = useNavigate()
  const state = arrivalId === undefined ? undefined : ({ arrivalId } satisfies Arrival)

  function follow(event: MouseEvent) {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (opensElsewhere || !isDialogOpen()) return
    event.preventDefault()
    hideSheet()
    afterDialogs(() => void navigate(to, { state }))
  }

  return (
    <Link className={styles.link} to={to} state={state} onClick={follow}>
      {children}
    </Link>
  )
}
