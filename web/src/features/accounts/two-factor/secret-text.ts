import { siteName } from '../../../lib/site.ts'
/** Returns a secret in groups of four for reading: `JBSW Y3DP EHPK 3PXP`. */
export function groupSecret(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? ''
}

interface RecoveryCodesFile {
  readonly email: string
  readonly codes: readonly string[]
  /** The time of their creation, formatted. */
  readonly createdOn: string
}

/** Returns the text of a file of recovery codes, which says what the codes are for. */
export function recoveryCodesText({ email, codes, createdOn }: RecoveryCodesFile): string {
  return [
    `${siteName} recovery codes`,
    `Account: ${email}`,
    `Created on: ${createdOn}`,
    '',
    ...codes,
    '',
    'Each code works once, in place of a code from the authenticator app.',
    'New recovery codes replace these.',
    '',
  ].join('\n')
}
