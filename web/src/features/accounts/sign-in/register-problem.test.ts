import { expect, test } from 'vitest'
import { findRegisterProblem } from './register-problem.ts'

const complete = {
  email: 'mara@example.com',
  password: 'Quiet-room-1',
  confirmation: 'Quiet-room-1',
  agreesToTerms: true,
  agreesToPrivacy: true,
}

test('a complete form can be sent', () => {
  expect(findRegisterProblem(complete)).toBeUndefined()
})

test('a malformed address is named first', () => {
  expect(findRegisterProblem({ ...complete, email: 'mara@example', password: '' })).toBe('Invalid email format')
})

test('a password that misses one rule is refused', () => {
  const password = 'Quietroom1'
  expect(findRegisterProblem({ ...complete, password, confirmation: password })).toBe(
    'Password does not meet requirements',
  )
})

test('a confirmation that differs is refused', () => {
  expect(findRegisterProblem({ ...complete, confirmation: 'Quiet-room-2' })).toBe('Passwords do not match!')
})

test('both agreements are needed', () => {
  const text = 'You must agree to the Terms of Service and Privacy Policy to proceed.'
  expect(findRegisterProblem({ ...complete, agreesToTerms: false })).toBe(text)
  expect(findRegisterProblem({ ...complete, agreesToPrivacy: false })).toBe(text)
})
