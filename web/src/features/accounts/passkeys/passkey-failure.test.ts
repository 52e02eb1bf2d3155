import '../../../lib/testing/browser-globals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../../api/api.ts'
import { describePasskeyFailure, PasskeysUnavailable } from './passkey-failure.ts'

const otherwise = 'Signing in with a passkey failed.'

function errorNamed(name: string): Error {
  return Object.assign(new Error('words of the browser'), { name })
}

test.each(['NotAllowedError', 'AbortError'])('%s is the user saying no, and no error', (name) => {
  expect(describePasskeyFailure(errorNamed(name), otherwise)).toBeUndefined()
})

test('a device that has a passkey already is told apart', () => {
  expect(describePasskeyFailure(errorNamed('InvalidStateError'), otherwise)).toMatch(/already/)
})

test('why there can be none is said as it is', () => {
  expect(describePasskeyFailure(new PasskeysUnavailable('Not at a numeric address.'), otherwise)).toBe(
    'Not at a numeric address.',
  )
})

test('the sentence of the server is shown, and the words of the browser never are', () => {
  const text = 'This passkey is not known here.'
  expect(
    describePasskeyFailure(new ApiError(403, { error: text, message: text, code: 'passkey_refused' }), otherwise),
  ).toBe(text)
  expect(describePasskeyFailure(errorNamed('UnknownError'), otherwise)).toBe(otherwise)
  expect(describePasskeyFailure('nothing', otherwise)).toBe(otherwise)
})
