import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import { callerOf } from '../../../platform/http/client-network.ts'
import { endSessions } from '../sessions/sessions.ts'

/** What a user's row keeps of whoever claimed its address, until the address is confirmed. */
export type Claim = Pick<UserRow, 'claimed_from' | 'proof_hash'>

/**
 * Makes the secret by which the browser that registers is recognised when the link of the mail is opened in it. The row
 * keeps its hash alone.
 */
export function createClaim({ ip }: Pick<Context, 'ip'>): { claim: Claim; proof: string } {
  const proof = randomBytes(24).toString('base64url')
  return { proof, claim: { claimed_from: callerOf(ip), proof_hash: hashProof(proof) } }
}

/** Whether a request comes from whoever claimed the address: by the secret, else from the same network address. */
export function isClaimant({ ip }: Pick<Context, 'ip'>, claim: Claim, proof: string | undefined): boolean {
  if (proof === undefined) return claim.claimed_from === callerOf(ip)
  const expected = Buffer.from(claim.proof_hash ?? '')
  const given = Buffer.from(hashProof(proof))
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function hashProof(proof: string): string {
  return createHash('sha256').update(proof).digest('base64url')
}

/** Whether the address of an account is another one than was confirmed last. */
export function isAddressChanged({ email, confirmed_email, email_changed_at }: UserRow): boolean {
  return email_changed_at !== null && email !== confirmed_email
}

/**
 * Takes away everything by which somebody could get in who set it up before the address was confirmed: sessions and
 * signed addresses, passkeys, the second factor with its recovery codes, what was begun of signing in, known devices.
 */
export async function dropEarlierAccess(tx: Tx, userId: string, now: number): Promise<void> {
  await endSessions(tx, userId, now)
  for (const table of ['passkeys', 'two_factor', 'recovery_codes', 'challenges', 'known_devices'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute()
  }
}
