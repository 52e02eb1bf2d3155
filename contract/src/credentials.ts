import { MAX_EMAIL_LENGTH, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './limits.ts'

/**
 * The rules and messages for e-mail addresses and passwords (specification, section 5). The browser checks its forms with
 * them, and `fields.ts` and `sharing.ts` make the schemas of the calls from them. This module doesn't import zod, so that
 * pages load without it.
 */

export const INVALID_EMAIL = 'Invalid email format'
export const EMAIL = /^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,4}$/

export function isEmail(text: string): boolean {
  const address = text.trim()
  return address.length <= MAX_EMAIL_LENGTH && EMAIL.test(address)
}

/** The rules for a new password, in display order. */
export const passwordRules = [
  {
    message: 'Password must be at least 8 characters long.',
    isMet: (password: string) => password.length >= MIN_PASSWORD_LENGTH,
  },
  {
    message: 'Password must contain at least one uppercase letter.',
    isMet: (password: string) => /[A-Z]/.test(password),
  },
  {
    message: 'Password must contain at least one lowercase letter.',
    isMet: (password: string) => /[a-z]/.test(password),
  },
  { message: 'Password must contain at least one number.', isMet: (password: string) => /[0-9]/.test(password) },
  {
    message: 'Password must contain at least one special character.',
    isMet: (password: string) => /[^A-Za-z0-9\s]/.test(password),
  },
] as const

export const PASSWORD_REQUIREMENTS_NOT_MET = 'Password does not meet requirements'
export const PASSWORD_TOO_LONG = `Password must be at most ${MAX_PASSWORD_LENGTH} characters long.`

export const RESET_PASSWORD_REQUIREMENTS =
  'Password must contain at least 8 characters, 1 uppercase letter, 1 lowercase letter, and 1 symbol.'
export const RESET_PASSWORD = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[@$!%*?&])[A-Za-z\d@$!%*?&]{8,}$/

/** Returns why a password can't be set by a reset, or undefined if it can. */
export function findResetPasswordProblem(password: string): string | undefined {
  if (password.length > MAX_PASSWORD_LENGTH) return PASSWORD_TOO_LONG
  return RESET_PASSWORD.test(password) ? undefined : RESET_PASSWORD_REQUIREMENTS
}

export const LINK_PASSWORD_EMPTY = 'The password cannot be empty.'
export const LINK_PASSWORD_TOO_LONG = `The password can have at most ${MAX_PASSWORD_LENGTH} characters.`

/** Returns why a public link can't have a password, or undefined if it can. */
export function findLinkPasswordProblem(password: string): string | undefined {
  if (password === '') return LINK_PASSWORD_EMPTY
  return password.length > MAX_PASSWORD_LENGTH ? LINK_PASSWORD_TOO_LONG : undefined
}

export const APP_PASSWORD_NAME_EMPTY = 'The name cannot be empty.'
