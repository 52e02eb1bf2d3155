import type { SignedIn } from '@alcove/contract/accounts'
import {
  addPasskey,
  getPasskeyLoginOptions,
  getPasskeyOptions,
  loginWithPasskey,
  type Passkey,
} from '@alcove/contract/passkeys'
import { getReauthenticationOptions, reauthenticateWithPasskey } from '@alcove/contract/reauthentication'
import { send } from '../../../api/api.ts'
import { lazyModule } from '../../../lib/lazy-module.ts'
import { PasskeysUnavailable } from './passkey-failure.ts'

const webauthn = lazyModule(() => import('./webauthn.ts'))

/** Whether this browser knows passkeys, at least at this address. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

interface NewPasskey {
  readonly password: string
  readonly name: string
}

/** Has the browser make a passkey, and the server keep it. */
export async function createPasskey({ password, name }: NewPasskey): Promise<Passkey> {
  const { makePasskey } = await loadWebauthn()
  const answer = await send(getPasskeyOptions, { password })
  if (!answer.available) throw new PasskeysUnavailable(answer.reason)
  const response = await makePasskey(answer.options)
  return send(addPasskey, { name: name.trim() || undefined, response })
}

/** Has the browser ask for a passkey and signs in with it. */
export async function signInWithPasskey(): Promise<SignedIn> {
  const { provePasskey } = await loadWebauthn()
  const answer = await send(getPasskeyLoginOptions, {})
  if (!answer.available) throw new PasskeysUnavailable(answer.reason)
  const response = await provePasskey(answer.options)
  return send(loginWithPasskey, { response })
}

/** Has the browser ask for one of the account's passkeys, and confirms this session with it. */
export async function confirmWithPasskey(): Promise<void> {
  const { provePasskey } = await loadWebauthn()
  const answer = await send(getReauthenticationOptions, {})
  if (!answer.available) throw new PasskeysUnavailable(answer.reason)
  const response = await provePasskey(answer.options)
  await send(reauthenticateWithPasskey, { response })
}

function loadWebauthn() {
  if (!hasPasskeys()) throw new PasskeysUnavailable('This browser does not know passkeys at this address.')
  return webauthn.load()
}
