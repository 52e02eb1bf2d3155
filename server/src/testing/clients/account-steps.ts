import { randomUUID } from 'node:crypto'
import { addPasskey, getPasskeyLoginOptions, getPasskeyOptions } from '@alcove/contract/passkeys'
import { beginTwoFactor, enableTwoFactor } from '@alcove/contract/two-factor'
import { TOTP } from 'otpauth'
import { createOneTimeToken } from '../../platform/crypto/one-time-token.ts'
import type { OneTimeTokenTable } from '../../platform/db/tables.ts'
import type { TestApp } from '../engines/test-app.ts'
import { TEST_PASSWORD, type TestUser } from '../factories/users.ts'
import { Authenticator } from './authenticator.ts'

const DAY = 24 * 3_600_000
/** How much later the steps are taken: a code of an authenticator app works once, and enabling two-factor uses the current one. */
const DELAY = 60_000

/** Inputs for one call of each kind that activates, secures or recovers an account, each with users of its own. */
export type AccountSteps = Awaited<ReturnType<typeof createAccountSteps>>

/** Creates the inputs for one round. They are valid after `advanceToSteps`. */
export async function createAccountSteps(app: TestApp) {
  const notActivated = await app.createUser({ isActivated: false })
  const withReset = await app.createUser()
  return {
    newEmail: `${randomUUID()}@example.com`,
    notActivated,
    /** For another user, so that the mail can still be sent again to the first one. */
    activationToken: await addToken(app, await app.createUser({ isActivated: false }), 'activation'),
    withReset,
    resetToken: await addToken(app, withReset, 'reset'),
    enrolling: await beginEnrollment(app),
    withTwoFactor: await createWithTwoFactor(app),
    ...(await createPasskeys(app)),
  }
}

/** Moves the clock to the time at which the steps are valid. */
export function advanceToSteps({ clock }: TestApp): void {
  clock.advance(DELAY)
}

/** Creates a token as a mail contains it. */
async function addToken(
  { services: { db, clock } }: TestApp,
  { id, email }: TestUser,
  kind: OneTimeTokenTable['kind'],
): Promise<string> {
  const { token, hash } = createOneTimeToken()
  const row = { token_hash: hash, user_id: id, kind, email, expires_at: clock.now() + DAY }
  await db.insertInto('one_time_tokens').values(row).execute()
  return token
}

/** Creates a user who has scanned the secret, with the code that enables two-factor sign-in. */
async function beginEnrollment(app: TestApp) {
  const user = await app.createUser()
  const { secret } = (await user.client.call(beginTwoFactor, { password: TEST_PASSWORD })).body
  const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp })
  const now = app.clock.now()
  return { user, codeNow: codeAt(now), code: codeAt(now + DELAY) }
}

/** Creates a user with two-factor sign-in who has entered the password and not yet the code. */
async function createWithTwoFactor(app: TestApp) {
  const { services, clock } = app
  const { user, codeNow, code } = await beginEnrollment(app)
  const { recoveryCodes } = (await user.client.call(enableTwoFactor, { code: codeNow })).body
  const { token, hash } = createOneTimeToken()
  const challenge = { hash, kind: 'code', user_id: user.id, expires_at: clock.now() + DAY } as const
  await services.db.insertInto('challenges').values(challenge).execute()
  const [signInCode, renewalCode] = recoveryCodes as [string, string]
  return { user, challenge: token, signInCode, renewalCode, code }
}

/** Creates signed responses of authenticators: one for a new passkey, and one for signing in. */
async function createPasskeys(app: TestApp) {
  const { publicUrl } = app.services.config
  const attest = async (authenticator: Authenticator, { client }: TestUser) => {
    const { body } = await client.call(getPasskeyOptions, { password: TEST_PASSWORD })
    if (!body.available) throw new Error(body.reason)
    return authenticator.create(body.options)
  }
  const withPasskey = await app.createUser()
  const known = new Authenticator(publicUrl)
  await withPasskey.client.call(addPasskey, { response: await attest(known, withPasskey) })
  const requested = (await app.visitor.call(getPasskeyLoginOptions, {})).body
  if (!requested.available) throw new Error(requested.reason)
  const withoutPasskey = await app.createUser()
  return {
    withoutPasskey,
    newPasskey: await attest(new Authenticator(publicUrl), withoutPasskey),
    assertion: known.get(requested.options),
  }
}
