import type { Services } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { createRecoveryCodes, hashRecoveryCode } from '../../../platform/crypto/one-time-token.ts'
import { openText } from '../../../platform/crypto/secrets.ts'
import { findTotpStep } from '../../../platform/crypto/totp.ts'
import type { Database, Tx } from '../../../platform/db/database.ts'
import { reportSecurityChange } from '../mails.ts'

/** The result of reading a code: the time step of a code from the app, or the hash of a recovery code. */
export type Proof = { kind: 'step'; step: number } | { kind: 'recovery'; hash: string }

const APP_CODE = /^\d{6}$/

export async function isTwoFactorOn(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('two_factor')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Determines what a code proves, without using it up. Throws if two-factor sign-in is off. */
export async function readCode({ db, secrets, clock }: Services, userId: string, code: string): Promise<Proof> {
  const row = await db
    .selectFrom('two_factor')
    .select('secret')
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  if (!row) throw twoFactorOff()
  if (!APP_CODE.test(code)) return { kind: 'recovery', hash: hashRecoveryCode(secrets.recoveryKey, code) }
  const step = findTotpStep(openText(secrets.twoFactorKey, row.secret, userId), code, clock.now())
  if (step === undefined) throw wrongCode()
  return { kind: 'step', step }
}

/**
 * Uses up a code, or throws: each is valid once. A code from the app also uses up those of earlier time steps. One
 * conditional statement, so that of two concurrent uses only one counts.
 */
export async function useUpCode(tx: Tx, userId: string, proof: Proof): Promise<void> {
  const used =
    proof.kind === 'step' ? await useUpStep(tx, userId, proof.step) : await useUpRecovery(tx, userId, proof.hash)
  if (used === 0n) throw wrongCode()
}

async function useUpStep(tx: Tx, userId: string, step: number): Promise<bigint> {
  const { numUpdatedRows } = await tx
    .updateTable('two_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows
}

async function useUpRecovery(tx: Tx, userId: string, hash: string): Promise<bigint> {
  // Locks the two-factor row first, as for a code from the app: two requests that each use up a code and then delete
  // all of them would deadlock.
  await tx
    .updateTable('two_factor')
    .set((eb) => ({ last_step: eb.ref('last_step') }))
    .where('user_id', '=', userId)
    .execute()
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirstOrThrow()
  return numDeletedRows
}

/** Replaces the user's recovery codes and returns the new ones, which are shown once. */
export async function replaceRecoveryCodes({ secrets }: Services, tx: Tx, userId: string): Promise<string[]> {
  const codes = createRecoveryCodes()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await tx
    .insertInto('recovery_codes')
    .values(codes.map((code) => ({ user_id: userId, code_hash: hashRecoveryCode(secrets.recoveryKey, code) })))
    .execute()
  return codes
}

/** Turns off two-factor sign-in and ends pending sign-ins with a code. Returns false if it was not on. */
export async function switchTwoFactorOff(
  services: Pick<Services, 'jobs' | 'clock'>,
  tx: Tx,
  userId: string,
): Promise<boolean> {
  await endChallenges(tx, userId)
  const off = await tx
    .deleteFrom('two_factor')
    .where('user_id', '=', userId)
    .where('enabled_at', 'is not', null)
    .executeTakeFirst()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (off.numDeletedRows === 0n) return false
  await reportSecurityChange(services, tx, userId, { change: 'two_factor_off' })
  return true
}

/** Ends pending sign-ins with a code. */
export async function endChallenges(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('challenges').where('user_id', '=', userId).where('kind', '=', 'code').execute()
}

export function wrongCode(): AppError {
  return new AppError('wrong_code', 'This code is incorrect.')
}

export function twoFactorOff(): AppError {
  return new AppError('state_conflict', 'Two-factor sign-in is off.')
}

export function twoFactorOn(): AppError {
  return new AppError('state_conflict', 'Two-factor sign-in is already on.')
}
