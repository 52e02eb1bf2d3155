import { Secret, TOTP } from 'otpauth'

/** As all authenticator apps have it: SHA-1, six digits, a new code every 30 seconds (RFC 6238). */
const SETTINGS = { issuer: 'Alcove', algorithm: 'SHA1', digits: 6, period: 30 }
const SECRET_BYTES = 20
/** How many steps the clocks may be apart. */
const DRIFT = 1

/** A new secret for an authenticator app, in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** What the QR code says. */
export function totpUri(secret: string, label: string): string {
  return new TOTP({ ...SETTINGS, label, secret }).toString()
}

/** The time step that a code is of, if it is one of now or of the steps beside it. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ ...SETTINGS, secret })
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}
