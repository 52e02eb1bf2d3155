import { describe, expect, test } from 'vitest'
import { destinationAfterLogin } from './login-destination.ts'

describe('where a login leads', () => {
  test('to the file manager when nothing else was wanted', () => {
    expect(destinationAfterLogin({ isBuying: false })).toBe('/profile')
  })

  test('to the screen that asked for the login', () => {
    expect(destinationAfterLogin({ target: '/favorites?sort=name', isBuying: false })).toBe('/favorites?sort=name')
  })

  test('to the plans when a purchase waits', () => {
    expect(destinationAfterLogin({ target: '/favorites', isBuying: true })).toBe('/subscriptions?redirect=payment')
  })

  test('never to another site', () => {
    expect(destinationAfterLogin({ target: '//evil.example', isBuying: false })).toBe('/profile')
    expect(destinationAfterLogin({ target: 'https://evil.example', isBuying: false })).toBe('/profile')
  })
})
