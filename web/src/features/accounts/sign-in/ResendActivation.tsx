import { resendActivation } from '@alcove/contract/accounts'
import { IconMail } from '@tabler/icons-react'
import { ApiError } from '../../../api/api.ts'
import { useCall } from '../../../api/use-call.ts'
import { BusyButton } from '../../../ui/BusyButton.tsx'

export interface ResendTexts {
  readonly sent: string
  readonly failed: string
  /** When there was no response. */
  readonly broken: string
}

const loginTexts: ResendTexts = {
  sent: 'Activation email sent. Check your inbox.',
  failed: 'Failed to send activation email.',
  broken: 'An error occurred while resending activation email.',
}

/** Sends the activation email again, and returns the notice to show. The server's own message takes precedence. */
export function useResend(texts: ResendTexts = loginTexts) {
  const { mutate, reset, status, data, error, isPending } = useCall(resendActivation)

  function findNotice() {
    switch (status) {
      case 'pending':
        return { tone: 'info', text: 'Sending activation email...' } as const
      case 'success':
        return { tone: 'success', text: data.message || texts.sent } as const
      case 'error':
        return { tone: 'error', text: error instanceof ApiError ? (error.text ?? texts.failed) : texts.broken } as const
      default:
        return undefined
    }
  }

  return { send: (email: string) => mutate({ email }), reset, isPending, notice: findNotice() }
}

interface ResendActivationButtonProps {
  readonly isPending: boolean
  readonly onClick: () => void
}

export function ResendActivationButton({ isPending, onClick }: ResendActivationButtonProps) {
  return (
    <BusyButton
      variant="default"
      size="xs"
      leftSection={<IconMail size={16} stroke={1.75} />}
      loading={isPending}
      onClick={onClick}
    >
      Resend Activation Email
    </BusyButton>
  )
}
