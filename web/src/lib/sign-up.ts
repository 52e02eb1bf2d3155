import { describeSignUp, type SignUpMode } from '@alcove/contract/sign-up-modes'
import { contentOf } from './site.ts'

/** Who can register, as the server has written it into the page's head. Apart from `site.ts`, because signed-in users don't need it. */
let mode = (contentOf('alcove-sign-up') || 'open') as SignUpMode

/** Sets it for what is rendered at build time. */
export function assumeSignUp(assumed: SignUpMode): void {
  mode = assumed
}

export const signUpMode = (): SignUpMode => mode

/** Whether people without an invitation can register. */
export const canRegister = (): boolean => mode === 'open' || mode === 'domain'

/** Returns what registering needs, or undefined if everyone can. */
export function describeRegistration(): string | undefined {
  return describeSignUp(mode, contentOf('alcove-sign-up-domains'))
}
