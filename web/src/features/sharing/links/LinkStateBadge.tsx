import type { LinkState } from '@alcove/contract/links'
import styles from './LinkStateBadge.module.css'
import { stateNames } from './link-texts.ts'

/** Whether a link works or, if not, why. */
export function LinkStateBadge({ state }: { readonly state: LinkState }) {
  return (
    <span className={styles.badge} data-state={state}>
      {stateNames[state]}
    </span>
  )
}
