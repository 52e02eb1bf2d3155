import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@alcove/contract/webauthn'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Loaded lazily, when someone uses a passkey: it brings the WebAuthn library. */

export function makePasskey(options: PasskeyCreationOptions) {
  // The contract allows any text as a transport; the library's type lists the known ones.
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })
}

export function provePasskey(options: PasskeyRequestOptions) {
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON })
}
