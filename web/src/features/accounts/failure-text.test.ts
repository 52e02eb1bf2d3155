import '../../lib/testing/browser-globals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api.ts'
import { failureText } from './failure-text.ts'

const body = {
  error: 'The password is not right.',
  message: 'The password is not right.',
  code: 'wrong_password',
} as const

test('the sentence of the server comes before ours', () => {
  expect(failureText(new ApiError(403, body), 'Failed to update email.')).toBe(body.error)
})

test('an answer without a sentence, as of a proxy, is told as refused', () => {
  expect(failureText(new ApiError(502), 'Failed to update email.')).toBe('Failed to update email.')
})

test('no answer at all is an error of the server or of the way to it', () => {
  expect(failureText(new TypeError('fetch failed'), 'Failed to update email.')).toBe('Server error.')
  expect(failureText(new TypeError('fetch failed'), 'x', 'Server error during deletion.')).toBe(
    'Server error during deletion.',
  )
})
