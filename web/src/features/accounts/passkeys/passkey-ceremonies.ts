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
import { failureText } from '../failure-text.ts'

const webauthn = lazyModule(() => import('./webauthn.ts'))

/** Returns whether this browser supports passkeys at this address. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

interface NewPasskey {
  /** Undefined if the account has none. */
  readonly password: string | undefined
  readonly name: string
}

/** Has the browser create a passkey, and the server store it. */
export async function createPasskey({ password, name }: NewPasskey): Promise<Passkey> {
  const { makePasskey } = await loadWebauthn()
  const options = optionsOf(await send(getPasskeyOptions, { password }))
  const response = await makePasskey(options)
  return send(addPasskey, { name: name.trim() || undefined, response })
}

/** Has the browser ask for a passkey, and signs in with it. A ticket of a provider links the account to it. */
export async function signInWithPasskey(ticket?: string): Promise<SignedIn> {
  const { provePasskey } = await loadWebauthn()
  const options = optionsOf(await send(getPasskeyLoginOptions, {}))
  return send(loginWithPasskey, { response: await provePasskey(options), ticket })
}

/** Has the browser ask for one of the account's passkeys, and confirms this session with it. */
export async function confirmWithPasskey(): Promise<void> {
  const { provePasskey } = await loadWebauthn()
  const options = optionsOf(await send(getReauthenticationOptions, {}))
  await send(reauthenticateWithPasskey, { response: await provePasskey(options) })
}

type OptionsResponse<O> =
  | { readonly available: true; readonly options: O }
  | { readonly available: false; readonly reason: string }

function optionsOf<O>(response: OptionsResponse<O>): O {
  if (!response.available) throw new PasskeysUnavailable(response.reason)
  return response.options
}

function loadWebauthn() {
  if (!hasPasskeys()) throw new PasskeysUnavailable('This browser doesn’t support passkeys at this address.')
  return webauthn.load()
}

/** Passkeys can't be used here. The message says why. */
export class PasskeysUnavailable extends Error {
  override readonly name = 'PasskeysUnavailable'
}

/**
 * Returns the message for a passkey that was not created or not accepted. Returns undefined if the user cancelled or
 * didn't respond to the browser's prompt, which is no error.
 */
export function describePasskeyFailure(error: unknown, otherwise: string): string | undefined {
  if (error instanceof PasskeysUnavailable) return error.message
  switch (error instanceof Error ? error.name : undefined) {
    case 'NotAllowedError':
    case 'AbortError':
      return undefined
    case 'InvalidStateError':
      return 'This device already has a passkey for your account.'
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'This device can’t store passkeys that are unlocked by face, fingerprint or PIN. Try another device.'
    case 'SecurityError':
      return 'Browsers don’t allow passkeys at this address.'
    default:
      return failureText(error, otherwise, otherwise)
  }
}
