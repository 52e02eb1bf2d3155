/** Why a sign-in through a provider failed. */
export type OidcFailure =
  /** The provider doesn't respond, or not as a provider does. */
  | 'unreachable'
  /** The configuration of the provider, here or there, is wrong. */
  | 'misconfigured'
  /** The user or the provider refused. */
  | 'denied'
  /** The code is used up, expired or of another flow. */
  | 'expired'
  /** What the provider sent can't be trusted. */
  | 'untrusted'

/**
 * A failure at a provider. `message` continues "Sign-in with X failed because …" without a full stop. `fix` says what the operator can
 * do; `{ISSUER}` stands for the name of that setting.
 */
export class OidcError extends Error {
  readonly failure: OidcFailure
  readonly fix: string | undefined

  constructor(failure: OidcFailure, message: string, { fix, cause }: { fix?: string; cause?: unknown } = {}) {
    super(message, { cause })
    this.name = 'OidcError'
    this.failure = failure
    this.fix = fix
  }
}

/** What a provider has asserted about a person, verified. */
export interface OidcAssertion {
  readonly issuer: string
  readonly subject: string
  /** All claims, of the ID token and, where fetched, of the user info. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly idToken: string
  /** The session at the provider, if it says. */
  readonly sid: string | undefined
}
