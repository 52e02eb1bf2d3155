import { callsByArea } from '@alcove/contract/calls'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { by, plain, type TimedCall, timed } from './timed-call.ts'

const { accounts } = callsByArea

/** Only characters that the reset of a password accepts. */
const OTHER_PASSWORD = 'Another!horse8'

/** Calls for signing in and for the account. Those that send mail wait until it is in the outbox. */
export const accountCalls: TimedCall[] = [
  ...plain(accounts.getAccountStatus, accounts.listSessions, accounts.getDataUrl, accounts.getTwoFactor),
  ...plain(accounts.listPasskeys, accounts.getPasskeyLoginOptions),
  timed(accounts.renamePasskey, (_own, { passkey, number }) => ({ id: passkey, name: `key ${number}` })),
  timed(accounts.removePasskey, (_own, { passkey }) => ({ id: passkey })),
  timed(accounts.endSession, (_own, { session }) => ({ id: session })),
  ...by(({ spareToken }) => spareToken, ...plain(accounts.logout)),

  timed(accounts.register, (_own, { steps }) => ({ email: steps.newEmail, password: TEST_PASSWORD })),
  timed(accounts.resendActivation, (_own, { steps }) => ({ email: steps.notActivated.email })),
  timed(accounts.activate, (_own, { steps }) => ({ token: steps.activationToken })),
  timed(accounts.forgotPassword, (_own, { steps }) => ({ email: steps.withReset.email })),
  timed(accounts.validatePassword, (_own, { steps }) => ({ resetToken: steps.resetToken })),
  timed(accounts.resetPassword, (_own, { steps }) => ({ resetToken: steps.resetToken, newPassword: OTHER_PASSWORD })),

  timed(accounts.login, ({ user }) => ({ email: user.email, password: TEST_PASSWORD })),
  timed(accounts.loginWithCode, (_own, { steps: { withTwoFactor } }) => ({
    challenge: withTwoFactor.challenge,
    code: withTwoFactor.signInCode,
  })),
  timed(accounts.loginWithPasskey, (_own, { steps }) => ({ response: steps.assertion })),
  timed(accounts.beginTwoFactor, () => ({ password: TEST_PASSWORD })),
  ...by(
    ({ steps }) => steps.enrolling.user.token,
    timed(accounts.enableTwoFactor, (_own, { steps }) => ({ code: steps.enrolling.code })),
  ),
  ...by(
    ({ steps }) => steps.withTwoFactor.user.token,
    timed(accounts.renewRecoveryCodes, (_own, { steps: { withTwoFactor } }) => ({
      password: TEST_PASSWORD,
      code: withTwoFactor.renewalCode,
    })),
    timed(accounts.disableTwoFactor, (_own, { steps: { withTwoFactor } }) => ({
      password: TEST_PASSWORD,
      code: withTwoFactor.code,
    })),
  ),
  ...by(
    ({ steps }) => steps.withoutPasskey.token,
    timed(accounts.getPasskeyOptions, () => ({ password: TEST_PASSWORD })),
    timed(accounts.addPasskey, (_own, { steps }) => ({ response: steps.newPasskey })),
  ),
]

/** Calls that change how the caller signs in. Each turn uses the result of the one before. */
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

const { billing } = callsByArea

/** The payment sandbox runs in this process, so its work is part of the time. */
const SANDBOX = 'with the sandbox as card provider'

export const paymentCalls: TimedCall[] = [
  ...plain(billing.listPlans, billing.getPaymentSettings, billing.getDashboard),
  ...by(
    ({ payers }) => payers.buyer,
    timed(billing.createCheckoutSession, () => ({ planId: 2 }), SANDBOX),
    timed(billing.confirmCheckout, () => ({}), SANDBOX),
  ),
  ...by(
    ({ payers }) => payers.subscriber,
    timed(billing.getDashboard, () => ({}), `of a subscriber, ${SANDBOX}`),
    timed(billing.createSetupIntent, () => ({}), SANDBOX),
    timed(billing.updatePaymentMethod, (_own, { payers }) => ({ payment_method: payers.card }), SANDBOX),
    timed(billing.createCheckoutSession, () => ({ planId: 3 }), `another plan, ${SANDBOX}`),
    timed(billing.revertToFree, () => ({}), SANDBOX),
  ),
]
