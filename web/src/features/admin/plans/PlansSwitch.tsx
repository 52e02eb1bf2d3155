import { changePlanSettings } from '@alcove/contract/admin-plans'
import { Switch } from '@mantine/core'
import { sentenceOf } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/Card.tsx'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import styles from './PlansSection.module.css'
import type { PlanSettings } from './queries.ts'

/** Switches plans and prices on or off for all accounts. */
export function PlansSwitch({ settings: { enabled, subscribers } }: { readonly settings: PlanSettings }) {
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
