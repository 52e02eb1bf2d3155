import '../../lib/testing/browser-globals.ts'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api.ts'
import { failureText } from './failure-text.ts'

const body = {
  error: 'The password is not right.',
  message: 'The password is not right.',
  code: 'wrong_password',
} as const

test('prefers the message of the server', () => {
  expect(failureText(new ApiError(403, body), 'Failed to update email.')).toBe(body.error)
})

test('falls back to our message for a response without one, such as from a proxy', () => {
  expect(failureText(new ApiError(502), 'Failed to update email.')).toBe('Failed to update email.')
})

test('reports a server error when there was no response at all', () => {
  expect(failureText(new TypeError('fetch failed'), 'Failed to update email.')).toBe('Server error.')
  expect(failureText(new TypeError('fetch failed'), 'x', 'Server error during deletion.')).toBe(
    'Server error during deletion.',
  )
})
