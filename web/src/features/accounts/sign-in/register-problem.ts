import { INVALID_EMAIL, isEmail, PASSWORD_REQUIREMENTS_NOT_MET, passwordRules } from '@alcove/contract/credentials'

export interface RegisterFields {
  readonly email: string
  readonly password: string
  readonly confirmation: string
  readonly agreesToTerms: boolean
  readonly agreesToPrivacy: boolean
}

/** Returns why the form can't be submitted, or undefined if it can. */
export function findRegisterProblem(fields: RegisterFields): string | undefined {
  if (!isEmail(fields.email)) return INVALID_EMAIL
  if (!passwordRules.every((rule) => rule.isMet(fields.password))) return PASSWORD_REQUIREMENTS_NOT_MET
  if (fields.password !== fields.confirmation) return 'Passwords do not match!'
  if (!fields.agreesToTerms || !fields.agreesToPrivacy)
    return 'You must agree to the Terms of Service and Privacy Policy to proceed.'
  return undefined
}
