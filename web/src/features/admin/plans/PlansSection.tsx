import { useQuery } from '@tanstack/react-query'
import { CardHeadingLevel } from '../../../ui/Card.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import { FormerPlans } from './FormerPlans.tsx'
import { PlanEditor } from './PlanEditor.tsx'
import styles from './PlansSection.module.css'
import { PlansSwitch } from './PlansSwitch.tsx'
import { planCatalogueQuery, planSettingsQuery } from './queries.ts'

const FAILURE = 'Unable to load the plans.'

/** Whether there are plans and prices, and which. */
export function PlansSection() {
  const settings = useQuery(planSettingsQuery)
  const catalogue = useQuery(planCatalogueQuery)
  return (
    <CardHeadingLevel.Provider value={3}>
      <QueryContent query={settings} failure={FAILURE}>
        {(saved) => (
          <div className={styles.cards}>
            <PlansSwitch settings={saved} />
            <QueryContent query={catalogue} failure={FAILURE}>
              {(current) => (
                <>
                  <PlanEditor catalogue={current} />
                  <FormerPlans plans={current.former} />
                </>
              )}
            </QueryContent>
          </div>
        )}
      </QueryContent>
    </CardHeadingLevel.Provider>
  )
}
