import { useQuery } from '@tanstack/react-query'
import { CardHeadingLevel } from '../../../ui/Card.tsx'
import { QueryContent } from '../parts/QueryContent.tsx'
import { planCatalogueQuery } from '../plans/queries.ts'
import { InvitationsCard } from './InvitationsCard.tsx'
import { signUpQuery } from './queries.ts'
import { SignUpForm } from './SignUpForm.tsx'
import styles from './SignUpSection.module.css'

/** Who can create an account, and what new accounts get. */
export function SignUpSection() {
  const settings = useQuery(signUpQuery)
  const plans = useQuery(planCatalogueQuery)
  return (
    <CardHeadingLevel.Provider value={3}>
      <div className={styles.cards}>
        <QueryContent query={settings} failure="Unable to load the rules for sign-up.">
          {(saved) => (
            <QueryContent query={plans} failure="Unable to load the plans.">
              {(catalogue) => (
                <>
                  <SignUpForm saved={saved} catalogue={catalogue} />
                  <InvitationsCard catalogue={catalogue} />
                </>
              )}
            </QueryContent>
          )}
        </QueryContent>
      </div>
    </CardHeadingLevel.Provider>
  )
}
