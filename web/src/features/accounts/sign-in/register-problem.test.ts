import { expect, test } from 'vitest'
import { findRegisterProblem } from './register-problem.ts'

const complete = {
  email: 'mara@example.com',
  password: 'Quiet-room-1',
  confirmation: 'Quiet-room-1',
  agreesToTerms: true,
  agreesToPrivacy: true,
}

test('accepts a complete form', () => {
  expect(findRegisterProblem(complete)).toBeUndefined()
})

test('reports a malformed email address first', () => {
  expect(findRegisterProblem({ ...complete, email: 'mara@example', password: '' })).toBe('Invalid email format')
})

test('rejects a password that breaks one rule', () => {
  const password = 'Quietroom1'
  expect(findRegisterProblem({ ...complete, password, confirmation: password })).toBe(
    'Password does not meet requirements',
  )
})

test('rejects a confirmation that differs', () => {
  expect(findRegisterProblem({ ...complete, confirmation: 'Quiet-room-2' })).toBe('Passwords do not match!')
})

test('requires both agreements', () => {
  const text = 'You must agree to the Terms of Service and Privacy Policy to proceed.'
  expect(findRegisterProblem({ ...complete, agreesToTerms: false })).toBe(text)
  expect(findRegisterProblem({ ...complete, agreesToPrivacy: false })).toBe(text)
})
