import { isOfDomain } from '@alcove/contract/sign-up-modes'
import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Context } from '../../../context.ts'
import { isInvited } from '../invitations/give-what-was-promised.ts'

/** Returns whether somebody without an account gets one. The address is verified. */
export async function mayRegister(
  ctx: Context,
  { newAccounts, domains }: ConfiguredProvider,
  email: string,
): Promise<boolean> {
  if (newAccounts !== 'invited') return newAccounts === 'everyone'
  return isOfDomain(email, domains) || isInvited(ctx, email)
}
