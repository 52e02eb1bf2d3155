import { Button, Skeleton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useSession } from '../../api/session.ts'
import { Card } from '../../ui/Card.tsx'
import { Notice } from '../../ui/Notice.tsx'
import styles from './AccountStatusCard.module.css'
import { useAccountStatus } from './queries.ts'
import { ResendActivationButton, type ResendTexts, useResend } from './sign-in/ResendActivation.tsx'

/** Whether the e-mail address is confirmed. */
export function AccountStatusCard() {
  const { data, error, isPending, refetch } = useAccountStatus()
  useEffect(() => {
    if (error) console.error('The account status could not be loaded.', error)
  }, [error])

  return (
    <Card title="Account Status">
      {data ? (
        <Status isActivated={data.isActivated} />
      ) : isPending ? (
        <Skeleton height={40} aria-label="Loading the account status" />
      ) : (
        <div className={styles.unknown}>
          <span>The status is not available right now.</span>
          <Button variant="default" size="xs" onClick={() => void refetch()}>
            Retry
          </Button>
        </div>
      )}
    </Card>
  )
}

const resendTexts: ResendTexts = {
  sent: 'Done',
  failed: 'Failed to resend activation email.',
  broken: 'Failed to resend activation email.',
}

interface StatusProps {
  readonly isActivated: boolean
}

function Status({ isActivated }: StatusProps) {
  const { email = '' } = useSession()
  const resend = useResend(resendTexts)
  return (
    <>
      <div className={styles.status} data-activated={isActivated}>
        {isActivated ? <IconCircleCheckFilled size={20} aria-hidden /> : <IconAlertCircle size={20} aria-hidden />}
        <div>
          <strong className={styles.name}>{isActivated ? 'Activated' : 'Not Activated'}</strong>
          <div className={styles.detail}>
            {isActivated ? 'Your email address is confirmed.' : 'Open the link in our email to confirm your address.'}
          </div>
        </div>
      </div>
      {!isActivated && (
        <div className={styles.resend}>
          <ResendActivationButton isPending={resend.isPending} onClick={() => resend.send(email)} />
          {resend.notice && <Notice {...resend.notice} />}
        </div>
      )}
    </>
  )
}
