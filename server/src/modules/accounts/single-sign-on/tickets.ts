import { SIGN_IN_FLOW_TTL } from '@alcove/contract/limits'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'
import { openText, sealText } from '../../../platform/crypto/secrets.ts'
import type { UserRow } from '../../../platform/db/tables.ts'
import type { Person } from './claims.ts'
import { findLinkedUser } from './identities.ts'
import { assertPasswordsOn, findProvider } from './providers.ts'

const PURPOSE = 'ticket'

/**
 * Encrypts who somebody is at a provider, for the browser to keep until the person has proven that an account is theirs. It gives no
 * access by itself.
 */
export function sealTicket({ secrets, clock }: Pick<Context, 'secrets' | 'clock'>, person: Person): string {
  return sealText(secrets.oidcKey, JSON.stringify({ person, expiresAt: clock.now() + SIGN_IN_FLOW_TTL }), PURPOSE)
}

function openTicket({ secrets, clock }: Pick<Context, 'secrets' | 'clock'>, ticket: string): Person {
  const { person, expiresAt } = read(secrets.oidcKey, ticket)
  if (expiresAt <= clock.now()) throw expired()
  return person
}

function read(key: Uint8Array, ticket: string): { person: Person; expiresAt: number } {
  try {
    return JSON.parse(openText(key, ticket, PURPOSE))
  } catch {
    throw expired()
  }
}

/**
 * Returns who signs in to an account with a ticket. Throws if the person is neither linked to the account nor has its address, and
 * without a ticket if passwords and passkeys are switched off for the user.
 */
export async function readTicket(ctx: Context, user: UserRow, ticket: string | undefined): Promise<Person | undefined> {
  if (ticket === undefined) {
    await assertPasswordsOn(ctx, user)
    return undefined
  }
  const person = openTicket(ctx, ticket)
  if (!(await findProvider(ctx, person.provider))) throw expired()
  if (person.email === user.email || (await findLinkedUser(ctx.db, person))?.id === user.id) return person
  throw new AppError('sign_in_refused', 'This account has another email address than your account at the provider.')
}

function expired(): AppError {
  return new AppError('invalid_token', 'This sign-in has expired. Please start again.')
}
