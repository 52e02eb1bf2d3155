import { callsByArea } from '@alcove/contract/calls'
import { TEST_PASSWORD } from '@alcove/server/testing/factories'
import { by, plain, type TimedCall, timed } from './timed-call.ts'

const { accounts } = callsByArea

/** As resetting takes it, whose alphabet is a smaller one. */
const OTHER_PASSWORD = 'Another!horse8'

/** Signing in and out, and all that is about the account. Mails go into the outbox, which each of these waits for. */
export const accountCalls: TimedCall[] = [
  ...plain(accounts.getAccountStatus, accounts.listSessions, accounts.getDataUrl, accounts.getTwoFactor),
  ...plain(accounts.listPasskeys, accounts.getPasskeyLoginOptions),
  timed(accounts.renamePasskey, (_own, { passkey, number }) => ({ id: passkey, name: `key ${number}` })),
  timed(accounts.removePasskey, (_own, { passkey }) => ({ id: passkey })),
  timed(accounts.endSession, (_own, { session }) => ({ id: session })),
  ...by(({ spareToken }) => spareToken, ...plain(accounts.logout)),

  timed(accounts.register, (_own, { steps }) => ({ email: steps.newEmail, password: TEST_PASSWORD })),
  timed(accounts.resendActivation, (_own, { steps }) => ({ email: steps.waiting.email })),
  timed(accounts.activate, (_own, { steps }) => ({ token: steps.activationToken })),
  timed(accounts.forgotPassword, (_own, { steps }) => ({ email: steps.forgetful.email })),
  timed(accounts.validatePassword, (_own, { steps }) => ({ resetToken: steps.resetToken })),
  timed(accounts.resetPassword, (_own, { steps }) => ({ resetToken: steps.resetToken, newPassword: OTHER_PASSWORD })),

  timed(accounts.login, ({ user }) => ({ email: user.email, password: TEST_PASSWORD })),
  timed(accounts.loginWithCode, (_own, { steps: { guarded } }) => ({
    challenge: guarded.challenge,
    code: guarded.toSignIn,
  })),
  timed(accounts.loginWithPasskey, (_own, { steps }) => ({ response: steps.signedIn })),
  timed(accounts.beginTwoFactor, () => ({ password: TEST_PASSWORD })),
  ...by(
    ({ steps }) => steps.begun.user.token,
    timed(accounts.enableTwoFactor, (_own, { steps }) => ({ code: steps.begun.code })),
  ),
  ...by(
    ({ steps }) => steps.guarded.user.token,
    timed(accounts.renewRecoveryCodes, (_own, { steps: { guarded } }) => ({
      password: TEST_PASSWORD,
      code: guarded.toRenew,
    })),
    timed(accounts.disableTwoFactor, (_own, { steps: { guarded } }) => ({
      password: TEST_PASSWORD,
      code: guarded.code,
    })),
  ),
  ...by(
    ({ steps }) => steps.keyless.token,
    timed(accounts.getPasskeyOptions, () => ({ password: TEST_PASSWORD })),
    timed(accounts.addPasskey, (_own, { steps }) => ({ response: steps.newPasskey })),
  ),
]

/** What changes how the caller signs in: each turn finds what the one before has left. */
export const lastAccountCalls: TimedCall[] = [
  ...plain(accounts.endOtherSessions),
  timed(accounts.updateEmail, ({ user }, { number }) => ({
    email: emailIn(user.email, number),
    newEmail: emailIn(user.email, number + 1),
    password: passwordIn(number),
  })),
  timed(accounts.updatePassword, (_own, { number }) => ({
    currentPassword: passwordIn(number),
    newPassword: passwordIn(number + 1),
  })),
]

function emailIn(email: string, turn: number): string {
  return turn === 0 ? email : `${turn}-${email}`
}

function passwordIn(turn: number): string {
  return turn === 0 ? TEST_PASSWORD : `${TEST_PASSWORD}${turn}`
}
