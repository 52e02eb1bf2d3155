import { failureText } from '../failure-text.ts'

/** There can be no passkeys here; its message says why. */
export class PasskeysUnavailable extends Error {
  override readonly name = 'PasskeysUnavailable'
}

/**
 * What is said when a passkey was not made or not accepted. Undefined where the user has called it off, or let the
 * browser's question pass, which is no error.
 */
export function describePasskeyFailure(error: unknown, otherwise: string): string | undefined {
  if (error instanceof PasskeysUnavailable) return error.message
  switch (error instanceof Error ? error.name : undefined) {
    case 'NotAllowedError':
    case 'AbortError':
      return undefined
    case 'InvalidStateError':
      return 'This device has a passkey of your account already.'
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'This device keeps no passkeys that only you unlock, by face, finger or PIN. Try another one.'
    case 'SecurityError':
      return 'Browsers allow no passkeys at this address.'
    default:
      return failureText(error, otherwise, otherwise)
  }
}
