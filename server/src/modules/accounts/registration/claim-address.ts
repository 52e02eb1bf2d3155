import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { callerOf } from '../../../platform/http/client-address.ts'
import { endSessions } from '../sessions/sessions.ts'

/** The columns of a user's row that identify the client that claimed the address, until the address is confirmed. */
export type Claim = Pick<UserRow, 'claimed_from' | 'proof_hash'>

/**
 * Creates a secret that identifies the registering browser when it opens the link in the mail. Only the hash of the
 * secret is stored.
 */
export function createClaim({ ip }: Pick<Context, 'ip'>): { claim: Claim; proof: string } {
  const proof = randomBytes(24).toString('base64url')
  return { proof, claim: { claimed_from: callerOf(ip), proof_hash: hashProof(proof) } }
}

/** Returns whether a request comes from the client that claimed the address. Compares the secret or, without one, the IP. */
export function isClaimant({ ip }: Pick<Context, 'ip'>, claim: Claim, proof: string | undefined): boolean {
  if (proof === undefined) return claim.claimed_from === callerOf(ip)
  const expected = Buffer.from(claim.proof_hash ?? '')
  const given = Buffer.from(hashProof(proof))
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function hashProof(proof: string): string {
  return createHash('sha256').update(proof).digest('base64url')
}

/** Returns whether an account's address differs from the last confirmed one. */
export function isAddressChanged({ email, confirmed_email, email_changed_at }: UserRow): boolean {
  return email_changed_at !== null && email !== confirmed_email
}

/**
 * Removes everything that was set up before the address was confirmed and could give access: sessions, signed URLs,
 * passkeys, app passwords, the second factor, recovery codes, pending sign-ins and known devices.
 */
export async function dropEarlierAccess(tx: Tx, userId: string, now: number): Promise<void> {
  await endSessions(tx, userId, now)
  for (const table of [
    'passkeys',
    'app_passwords',
    'two_factor',
    'recovery_codes',
    'challenges',
    'known_devices',
  ] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  }
}
