import { MAX_APP_PASSWORD_NAME } from '@alcove/contract/limits'
import { expect, it } from 'vitest'
import { nameClient } from './client-name.ts'

const asHeader = (text: string) => Buffer.from(text).toString('latin1')

it.each([
  ['work-laptop (Desktop Client - Linux)', 'work-laptop (Desktop Client - Linux)'],
  ['Ana’s iPhone (Nextcloud iOS)', 'Ana’s iPhone (Nextcloud iOS)'],
  ['Mozilla/5.0 (Linux) mirall/3.7.3git (Nextcloud, debian-6.1.0 ClientArchitecture: x86_64)', 'Nextcloud for Linux'],
  ['Mozilla/5.0 (Macintosh) mirall/2.11.1 (ownCloud, osx-21.6.0)', 'ownCloud for macOS'],
  ['Mozilla/5.0 (Android) Nextcloud-android/3.29.0', 'Nextcloud for Android'],
  ['Mozilla/5.0 (iOS) Nextcloud-iOS/6.2.0', 'Nextcloud for iOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox on Linux'],
  ['Mozilla/5.0', 'Unknown app'],
  ['', 'Unknown app'],
  ['\u0000\u001b \u202e\u200b', 'Unknown app'],
  ['a\r\n\tb\u0007\u202ec   d', 'a b c d'],
])('names the client %j', (userAgent, name) => {
  expect(nameClient(asHeader(userAgent))).toBe(name)
})

it('bounds the name without cutting a character in half', () => {
  expect(nameClient(asHeader('😀a'.repeat(100)))).toBe('😀a'.repeat(MAX_APP_PASSWORD_NAME / 2))
  expect(nameClient('x'.repeat(100_000))).toBe('x'.repeat(MAX_APP_PASSWORD_NAME))
})

it('reads a header that isn’t UTF-8 as Latin-1', () => {
  expect(nameClient('J\u00fcrgen')).toBe('Jürgen')
})
