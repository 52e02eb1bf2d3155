import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@alcove/contract/webauthn'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** What is fetched only when somebody uses a passkey. */

export function makePasskey(options: PasskeyCreationOptions) {
  // The ways to reach a passkey are any text for us, and a list of known ones for the library.
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
}

export function provePasskey(options: PasskeyRequestOptions) {
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })
}
