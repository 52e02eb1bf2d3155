import '../../../lib/testing/browser-globals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../../api/api.ts'
import { describePasskeyFailure, PasskeysUnavailable } from './passkey-ceremonies.ts'

const otherwise = 'Signing in with a passkey failed.'

function errorNamed(name: string): Error {
  return Object.assign(new Error('a message of the browser'), { name })
}

test.each(['NotAllowedError', 'AbortError'])('shows no message for %s: the user cancelled', (name) => {
  expect(describePasskeyFailure(errorNamed(name), otherwise)).toBeUndefined()
})

test('has a message of its own for a device that already has a passkey', () => {
  expect(describePasskeyFailure(errorNamed('InvalidStateError'), otherwise)).toMatch(/already/)
})

test('shows the reason why passkeys are unavailable', () => {
  expect(describePasskeyFailure(new PasskeysUnavailable('Not at a numeric address.'), otherwise)).toBe(
    'Not at a numeric address.',
  )
})

test('shows the message of the server, and never that of the browser', () => {
  const text = 'This passkey is not known here.'
  expect(
    describePasskeyFailure(new ApiError(403, { error: text, message: text, code: 'passkey_refused' }), otherwise),
  ).toBe(text)
  expect(describePasskeyFailure(errorNamed('UnknownError'), otherwise)).toBe(otherwise)
  expect(describePasskeyFailure('nothing', otherwise)).toBe(otherwise)
})
