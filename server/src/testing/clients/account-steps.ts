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
/** How much later than they were made the steps are taken: a code of an authenticator app is good for some seconds, and once. */
const LATER = 60_000

/** What each step of opening, proving and recovering an account is made with, once: of users who are there for it alone. */
export type AccountSteps = Awaited<ReturnType<typeof createAccountSteps>>

/** The steps of one round. They can be taken after `letStepsBecomeGood`. */
export async function createAccountSteps(app: TestApp) {
  const waiting = await app.createUser({ isActivated: false })
  const forgetful = await app.createUser()
  return {
    newEmail: `${randomUUID()}@example.com`,
    waiting,
    /** Of another one, who still waits for the mail when it is sent again. */
    activationToken: await addToken(app, await app.createUser({ isActivated: false }), 'activation'),
    forgetful,
    resetToken: await addToken(app, forgetful, 'reset'),
    begun: await beginGuard(app),
    guarded: await createGuarded(app),
    ...(await createPasskeys(app)),
  }
}

export function letStepsBecomeGood({ clock }: TestApp): void {
  clock.advance(LATER)
}

/** As it lies in a mail. */
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

/** A user who has scanned the secret, and the code that is to come back. */
async function beginGuard(app: TestApp) {
  const user = await app.createUser()
  const { secret } = (await user.client.call(beginTwoFactor, { password: TEST_PASSWORD })).body
  const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp })
  const now = app.clock.now()
  return { user, codeNow: codeAt(now), code: codeAt(now + LATER) }
}

/** A user whose sign-in takes a code, at the second step of it. */
async function createGuarded(app: TestApp) {
  const { services, clock } = app
  const { user, codeNow, code } = await beginGuard(app)
  const { recoveryCodes } = (await user.client.call(enableTwoFactor, { code: codeNow })).body
  const { token, hash } = createOneTimeToken()
  const challenge = { hash, kind: 'code', user_id: user.id, expires_at: clock.now() + DAY } as const
  await services.db.insertInto('challenges').values(challenge).execute()
  const [toSignIn, toRenew] = recoveryCodes as [string, string]
  return { user, challenge: token, toSignIn, toRenew, code }
}

/** What authenticators have signed: one for a new passkey, one to sign in with. */
async function createPasskeys(app: TestApp) {
  const { publicUrl } = app.services.config
  const answerTo = async (authenticator: Authenticator, { client }: TestUser) => {
    const { body } = await client.call(getPasskeyOptions, { password: TEST_PASSWORD })
    if (!body.available) throw new Error(body.reason)
    return authenticator.create(body.options)
  }
  const keyed = await app.createUser()
  const known = new Authenticator(publicUrl)
  await keyed.client.call(addPasskey, { response: await answerTo(known, keyed) })
  const requested = (await app.visitor.call(getPasskeyLoginOptions, {})).body
  if (!requested.available) throw new Error(requested.reason)
  const keyless = await app.createUser()
  return {
    keyless,
    newPasskey: await answerTo(new Authenticator(publicUrl), keyless),
    signedIn: known.get(requested.options),
  }
}
