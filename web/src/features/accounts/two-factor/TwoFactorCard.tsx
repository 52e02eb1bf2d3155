import type { OutputOf } from '@alcove/contract/call'
import { RECOVERY_CODES } from '@alcove/contract/limits'
import type { getTwoFactor } from '@alcove/contract/two-factor'
import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconShieldLock } from '@tabler/icons-react'
import { formatDay, formatMoment } from '../../../lib/format.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { openLater } from '../../../ui/dialogs/dialogs.tsx'
import styles from '../AccountCards.module.css'
import { QueryCard } from '../QueryCard.tsx'
import { useTwoFactor } from '../queries.ts'

const turnOnModal = lazyModule(() => import('./TurnOnTwoFactorModal.tsx'))
const manageModals = lazyModule(() => import('./ManageTwoFactorModals.tsx'))

const turnOn = () => void openLater(turnOnModal, (module) => module.openTurnOnTwoFactorModal())
const turnOff = () => void openLater(manageModals, (module) => module.openTurnOffTwoFactorModal())
const renewRecoveryCodes = () => void openLater(manageModals, (module) => module.openNewRecoveryCodesModal())

/** Shows whether signing in needs a code besides the password, and changes that. */
export function TwoFactorCard() {
  return (
    <QueryCard title="Two-factor sign-in" query={useTwoFactor()} failure="Couldn't load your two-factor status.">
      {(state) => <TwoFactorState state={state} />}
    </QueryCard>
  )
}

interface TwoFactorStateProps {
  readonly state: OutputOf<typeof getTwoFactor>
}

/** On and off share their first button, so that it still exists when a dialog gives the focus back to it. */
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
          <p className={styles.text}>{isEnabled ? <Details state={state} /> : PURPOSE}</p>
        </div>
      </div>
      <div className={styles.actions}>
        <Button
          variant="default"
          className={isEnabled ? styles.danger : undefined}
          onClick={isEnabled ? turnOff : turnOn}
        >
          {isEnabled ? 'Turn off' : 'Turn on two-factor sign-in'}
        </Button>
        {isEnabled && (
          <Button variant="default" onClick={renewRecoveryCodes}>
            New recovery codes
          </Button>
        )}
      </div>
    </div>
  )
}

const PURPOSE = 'Signing in then also needs a code from an app on your phone, so a stolen password is not enough.'

/** With this many recovery codes left, or fewer, the card suggests new ones. */
const FEW_CODES = 3

function Details({ state: { enabledAt, recoveryCodesLeft } }: TwoFactorStateProps) {
  return (
    <>
      {enabledAt && <span title={formatMoment(enabledAt)}>Since {formatDay(enabledAt)}. </span>}
      {recoveryCodesLeft} of {RECOVERY_CODES} recovery codes left.
      {recoveryCodesLeft <= FEW_CODES && ' Create new ones before you run out.'}
    </>
  )
}
