import { changePlanSettings } from '@alcove/contract/admin-plans'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { formatCount, formatStorage } from '../../../lib/format.ts'
import { Card, CardHeadingLevel } from '../../../ui/Card.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { AdminQuery } from '../AdminQuery.tsx'
import styles from './PlansSection.module.css'
import { type PlanSettings, planSettingsQuery } from './queries.ts'

/** Whether there are plans and prices, and which. */
export function PlansSection() {
  const query = useQuery(planSettingsQuery)
  return (
    <CardHeadingLevel.Provider value={3}>
      <AdminQuery query={query} failure="Unable to load the plans.">
        {(settings) => (
          <div className={styles.cards}>
            <PlansSwitch settings={settings} />
            {settings.enabled && <PlanTable plans={settings.plans} />}
          </div>
        )}
      </AdminQuery>
    </CardHeadingLevel.Provider>
  )
}

function PlansSwitch({ settings: { enabled, subscribers } }: { readonly settings: PlanSettings }) {
  const change = useCall(changePlanSettings)

  async function toggle() {
    const isWanted = await confirm(
      enabled
        ? {
            question: 'Switch plans off?',
            detail: 'Every account gets the vault, music and video, and nobody sees prices any more.',
            verb: 'Switch off',
          }
        : {
            question: 'Switch plans on?',
            detail: 'Accounts without a plan lose the vault, music and video until they buy one. Nothing is deleted.',
            verb: 'Switch on',
          },
    )
    if (!isWanted) return
    // Whether there are plans comes with the page.
    change.mutate({ enabled: !enabled }, { onSuccess: () => window.location.reload() })
  }

  return (
    <Card title="Plans and prices">
      <div className={styles.form}>
        <Switch
          label="Offer plans"
          description="Without plans, every account has the vault, music and video, and no price is shown. Reload other open pages to see the change there."
          checked={change.isPending ? !enabled : enabled}
          disabled={change.isPending}
          onChange={() => void toggle()}
        />
        {!enabled && subscribers > 0 && (
          <p className={styles.note}>
            {subscribers === 1 ? 'One account has' : `${formatCount(subscribers)} accounts have`} bought a plan. They
            still see it on their account page, where they can end it.
          </p>
        )}
        {change.isError && (
          <Notice tone="error" text={sentenceOf(change.error) ?? 'Couldn’t change that. Try again.'} />
        )}
      </div>
    </Card>
  )
}

function PlanTable({ plans }: Pick<PlanSettings, 'plans'>) {
  return (
    <Card title="The plans">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it. */}
      <section className={styles.scroll} tabIndex={0} aria-label="The plans">
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Plan</th>
              <th scope="col">Storage</th>
              <th scope="col">Price</th>
            </tr>
          </thead>
          <tbody>
            {plans.map(({ planId, name, bytes, price }) => (
              <tr key={planId}>
                <th scope="row">{name}</th>
                <td>{formatStorage(bytes)}</td>
                <td>${price.toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}
