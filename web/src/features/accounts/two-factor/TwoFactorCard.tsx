import type { OutputOf } from '@alcove/contract/call'
import { RECOVERY_CODES } from '@alcove/contract/limits'
import type { getTwoFactor } from '@alcove/contract/two-factor'
import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconShieldLock } from '@tabler/icons-react'
import { formatDay, formatMoment } from '../../../lib/format.ts'
import { Card } from '../../../ui/Card.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import styles from '../AccountCards.module.css'
import { CardLoading } from '../CardLoading.tsx'
import { askForNewCodes, askToTurnOff, askToTurnOn } from './dialogs.ts'
import { useTwoFactor } from './queries.ts'

/** Whether signing in takes a code besides the password. */
export function TwoFactorCard() {
  const { data, isError, isFetching, refetch } = useTwoFactor()
  return (
    <Card title="Two-factor sign-in">
      {data ? (
        <TwoFactorState state={data} />
      ) : isError ? (
        <LoadError text="Couldn't load your two-factor status." isBusy={isFetching} onRetry={() => void refetch()} />
      ) : (
        <CardLoading height={94} />
      )}
    </Card>
  )
}

interface TwoFactorStateProps {
  readonly state: OutputOf<typeof getTwoFactor>
}

/** On and off share their first button: a dialog that turns one into the other gives the focus back to it. */
function TwoFactorState({ state }: TwoFactorStateProps) {
  const { isEnabled } = state
  return (
    <div className={styles.body}>
      <div className={styles.status} data-on={isEnabled}>
        {isEnabled ? (
          <IconCircleCheckFilled size={20} aria-hidden />
        ) : (
          <IconShieldLock size={20} stroke={1.75} aria-hidden />
        )}
        <div>
          <strong className={styles.state}>{isEnabled ? 'On' : 'Off'}</strong>
          <p className={styles.text}>{isEnabled ? <Details state={state} /> : WHAT_FOR}</p>
        </div>
      </div>
      <div className={styles.actions}>
        <Button
          variant="default"
          className={isEnabled ? styles.danger : undefined}
          onClick={isEnabled ? askToTurnOff : askToTurnOn}
        >
          {isEnabled ? 'Turn off' : 'Turn on two-factor sign-in'}
        </Button>
        {isEnabled && (
          <Button variant="default" onClick={askForNewCodes}>
            New recovery codes
          </Button>
        )}
      </div>
    </div>
  )
}

const WHAT_FOR = 'With it, signing in also takes a code from an app on your phone, so a stolen password is not enough.'

/** From so many recovery codes down one should think of new ones. */
const FEW_CODES = 3

function Details({ state: { enabledAt, recoveryCodesLeft } }: TwoFactorStateProps) {
  return (
    <>
      {enabledAt && <span title={formatMoment(enabledAt)}>Since {formatDay(enabledAt)}. </span>}
      {recoveryCodesLeft} of {RECOVERY_CODES} recovery codes left.
      {recoveryCodesLeft <= FEW_CODES && ' Make new ones before you run out.'}
    </>
  )
}
