import { expect, test } from 'vitest'
import { destinationAfterLogin } from './finish-login.ts'

test('goes to the file manager by default', () => {
  expect(destinationAfterLogin({ isBuying: false })).toBe('/profile')
})

test('goes to the screen that required the login', () => {
  expect(destinationAfterLogin({ target: '/favorites?sort=name', isBuying: false })).toBe('/favorites?sort=name')
})

test('goes to the plans when the user is buying one', () => {
  expect(destinationAfterLogin({ target: '/favorites', isBuying: true })).toBe('/subscriptions?redirect=payment')
})

test('never goes to another site', () => {
  expect(destinationAfterLogin({ target: '//evil.example', isBuying: false })).toBe('/profile')
  expect(destinationAfterLogin({ target: 'https://evil.example', isBuying: false })).toBe('/profile')
})
