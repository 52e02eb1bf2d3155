import type { ConfiguredProvider } from '@alcove/contract/single-sign-on'
import type { Context } from '../../../context.ts'

/** Returns whether somebody without an account gets one. The address is verified. */
export async function mayRegister(
  _ctx: Context,
  { newAccounts, domains }: ConfiguredProvider,
  email: string,
): Promise<boolean> {
  if (newAccounts !== 'invited') return newAccounts === 'everyone'
  return domains.includes(email.slice(email.lastIndexOf('@') + 1))
}
