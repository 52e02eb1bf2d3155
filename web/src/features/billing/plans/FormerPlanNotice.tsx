import { FREE_PLAN } from '@alcove/contract/plans'
import { useQuery } from '@tanstack/react-query'
import { storageQuery } from '../../../api/fetch-storage.ts'
import { findOnSale, plansQuery } from '../../../api/plans-on-sale.ts'
import { Notice } from '../../../ui/Notice.tsx'
import styles from './FormerPlanNotice.module.css'

/** Tells users whose plan isn't among those for sale any more that they keep it. */
export function FormerPlanNotice() {
  const { data: storage } = useQuery(storageQuery)
  const { data: plans } = useQuery(plansQuery)
  if (!storage || !plans || storage.plan_id === FREE_PLAN.planId || findOnSale(plans, storage.plan_id)) return null
  return (
    <div className={styles.notice}>
      <Notice
        tone="info"
        text={
          <>
            Your plan, <bdi>{storage.plan_name}</bdi>, is no longer sold. You keep it.
          </>
        }
      />
    </div>
  )
}
