/** A secret in groups of four, as people read it: `JBSW Y3DP EHPK 3PXP`. */
export function groupSecret(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(' ') ?? ''
}

interface RecoveryCodesFile {
  readonly email: string
  readonly codes: readonly string[]
  /** When they were made, in words. */
  readonly madeOn: string
}

/** What is kept of recovery codes in a file, so that it still says what they are for in a few years. */
export function recoveryCodesText({ email, codes, madeOn }: RecoveryCodesFile): string {
  return [
    'Alcove recovery codes',
    `Account: ${email}`,
    `Made on: ${madeOn}`,
    '',
    ...codes,
    '',
    'Each code signs in once in place of a code of the authenticator app.',
    'Codes made later replace these.',
    '',
  ].join('\n')
}
