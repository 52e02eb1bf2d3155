import { expect, it } from 'vitest'
import { decodeText, isBinary } from './use-text.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

it('reads UTF-8 with and without a byte order mark', () => {
  expect(decodeText(utf8('Inês ☕'))).toBe('Inês ☕')
  expect(decodeText(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8('Inês')]))).toBe('Inês')
})

it('reads UTF-16 with a byte order mark', () => {
  expect(decodeText(new Uint8Array([0xff, 0xfe, 0x41, 0, 0xe9, 0]))).toBe('Aé')
  expect(decodeText(new Uint8Array([0xfe, 0xff, 0, 0x41, 0, 0xe9]))).toBe('Aé')
})

it('reads bytes that are not UTF-8 as Windows-1252', () => {
  expect(decodeText(new Uint8Array([0x49, 0x6e, 0xea, 0x73, 0x80]))).toBe('Inês€')
})

it('reads a truncated text that ends within a character as UTF-8', () => {
  expect(decodeText(utf8('Inês').subarray(0, 3), true)).toBe('In')
})

it('distinguishes binary data from text', () => {
  expect(isBinary(new Uint8Array([0x50, 0x4b, 0, 3]))).toBe(true)
  expect(isBinary(new Uint8Array([0xff, 0xfe, 0x41, 0]))).toBe(false)
  expect(isBinary(utf8('text'))).toBe(false)
})
