import { Secret, TOTP } from 'otpauth'

/** The settings that all authenticator apps support: SHA-1, six digits, a new code every 30 seconds (RFC 6238). */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 }
const SECRET_BYTES = 20
/** How many steps the clocks may differ. */
const DRIFT = 1

/** Creates a secret for an authenticator app, in base32. */
export function createTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

/** Returns the address in the QR code. Apps show the name of the site, `issuer`, and of the account, `label`. */
export function totpUri(secret: string, label: string, issuer: string): string {
  return new TOTP({ ...SETTINGS, issuer, label, secret }).toString()
}

/** Returns the time step of a code if it is the current step or a neighbouring one. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const totp = new TOTP({ ...SETTINGS, secret })
  const delta = totp.validate({ token: code, timestamp: now, window: DRIFT })
  return delta === null ? undefined : totp.counter({ timestamp: now }) + delta
}
