import { ApiError } from '../../../api/api.ts'

export interface LoginFailure {
  readonly text: string
  /** The account waits for its activation; the mail can be sent again. */
  readonly canResend: boolean
}

/** What a failed login says, by its status (specification, section 8). */
export function describeLoginFailure(error: unknown): LoginFailure {
  const refusal = error instanceof ApiError ? error : undefined
  if (refusal?.status === 400) return { text: 'Login failed.', canResend: false }
  if (refusal?.status === 401) return { text: 'Incorrect username/password.', canResend: false }
  if (refusal?.status === 403 && refusal.body?.resendOption)
    return { text: refusal.text ?? 'Account not activated.', canResend: true }
  return { text: refusal?.text ?? 'An error occurred while logging in.', canResend: false }
}
