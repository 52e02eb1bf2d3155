import { AppError } from '../../../errors.ts'
import { isCommonPassword } from '../../../platform/secrets/common-passwords.ts'

/** Refuses a new password that is guessed first: one of the commonest, or the address of the account. */
export async function assertGoodPassword(password: string, email: string): Promise<void> {
  assertNotAddress(password, email)
  if (await isCommonPassword(password)) {
    throw new AppError('weak_password', 'This password is one of the most common ones. Choose another one.')
  }
}

/** Refuses a password that is the address of its account, in any case. */
export function assertNotAddress(password: string, email: string): void {
  if (password.trim().toLowerCase() !== email) return
  throw new AppError('weak_password', 'Your password can’t be your email address. Choose another one.')
}
