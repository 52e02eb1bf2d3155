import { describe, expect, it } from 'vitest'
import { fieldsOf, inputOf, nameOf } from './provider-fields.ts'

describe('nameOf', () => {
  it.each([
    ['Keycloak', 'keycloak'],
    ['Microsoft Entra ID', 'microsoftentraid'],
    ['Über-Login', 'uberlogin'],
    ['2nd provider', 'ndprovider'],
    ['登录', 'provider'],
  ])('makes a part of an address of %s', (label, name) => {
    expect(nameOf(label)).toBe(name)
  })
})

describe('inputOf', () => {
  it('splits lists, and sends empty claims as null and an empty secret not at all', () => {
    const input = inputOf({
      ...fieldsOf(undefined),
      label: 'Google',
      issuer: 'https://accounts.google.com',
      domains: ' example.com ,, example.org',
      roleClaim: ' ',
    })
    expect(input).toMatchObject({
      name: 'google',
      domains: ['example.com', 'example.org'],
      allowedGroups: [],
      groups: [],
      roleClaim: null,
      clientSecret: undefined,
    })
  })
})
