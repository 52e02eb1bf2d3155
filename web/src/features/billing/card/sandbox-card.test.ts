import '../../../lib/testing/browser-globals.ts'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  confirmAtSandbox,
  findBrand,
  findCardProblems,
  formatCvc,
  formatExpiry,
  formatNumber,
  readExpiry,
} from './sandbox-card.ts'
import { CardRefused } from './use-update-card.ts'

const now = new Date(2026, 10, 22)
const valid = { number: '4242 4242 4242 4242', expiry: '08 / 29', cvc: '123' }

describe('card number', () => {
  test('is split into groups of four while typing', () => {
    expect(formatNumber('42424')).toBe('4242 4')
    expect(formatNumber('4242-4242 4242x4242')).toBe('4242 4242 4242 4242')
    expect(formatNumber('4242 ')).toBe('4242')
  })

  test('of American Express is split into 4, 6 and 5 digits', () => {
    expect(formatNumber('3782822463100051')).toBe('3782 822463 10005')
  })

  test('has a brand that its first digits identify', () => {
    expect(['4', '51', '37', '60', '9', ''].map(findBrand)).toEqual([
      'visa',
      'mastercard',
      'amex',
      'discover',
      undefined,
      undefined,
    ])
  })

  test('is reported when missing, incomplete or mistyped', () => {
    expect(findCardProblems({ ...valid, number: '' }, now).number).toBe('Enter the number of your card.')
    expect(findCardProblems({ ...valid, number: '4242 4242' }, now).number).toBe('This card number is not complete.')
    expect(findCardProblems({ ...valid, number: '4242 4242 4242 4241' }, now).number).toBe(
      'This card number is not valid.',
    )
    expect(findCardProblems({ ...valid, number: '4242 4242 4242 42' }, now).number).toBe(
      'This card number is not valid.',
    )
  })
})

describe('expiry', () => {
  test('gets its slash and its leading zero', () => {
    expect(['1', '8', '08', '082', '0829', '08 / 2029', '8/29', '082029', '1229'].map(formatExpiry)).toEqual([
      '1',
      '08',
      '08',
      '08 / 2',
      '08 / 29',
      '08 / 29',
      '08 / 29',
      '08 / 29',
      '12 / 29',
    ])
  })

  test('allows typing a year of four digits', () => {
    expect(['08 / 20', '08 / 202', '08 / 2029'].map(formatExpiry)).toEqual(['08 / 20', '08 / 202', '08 / 29'])
    expect(findCardProblems({ ...valid, expiry: '08 / 202' }, now).expiry).toBe('This date is not complete.')
  })

  test('can be deleted from its end', () => {
    expect(formatExpiry('08 / ')).toBe('08')
    expect(formatExpiry('0')).toBe('0')
    expect(formatExpiry('')).toBe('')
  })

  test('is valid to the end of its month', () => {
    expect(findCardProblems({ ...valid, expiry: '11 / 26' }, now)).toEqual({})
    expect(findCardProblems({ ...valid, expiry: '10 / 26' }, now).expiry).toBe('This card has expired.')
    expect(findCardProblems({ ...valid, expiry: '13 / 29' }, now).expiry).toBe('This month does not exist.')
    expect(findCardProblems({ ...valid, expiry: '00 / 29' }, now).expiry).toBe('This month does not exist.')
    expect(findCardProblems({ ...valid, expiry: '08 / 2' }, now).expiry).toBe('This date is not complete.')
    expect(findCardProblems({ ...valid, expiry: '08 / 99' }, now).expiry).toBe('This year is not valid.')
  })

  test('is read as numbers', () => {
    expect(readExpiry('08 / 29')).toEqual({ month: 8, year: 2029 })
  })
})

describe('security code', () => {
  test('has four digits at most', () => {
    expect(formatCvc('12a345')).toBe('1234')
  })

  test('has as many digits as its brand prints', () => {
    const amex = { ...valid, number: '3782 822463 10005' }
    expect(findCardProblems({ ...amex, cvc: '123' }, now).cvc).toBe('This code is not complete.')
    expect(findCardProblems({ ...amex, cvc: '1234' }, now)).toEqual({})
    expect(findCardProblems({ ...valid, cvc: '1234' }, now).cvc).toBe('This code is too long.')
    expect(findCardProblems({ ...valid, cvc: '' }, now).cvc).toBe('Enter the security code of your card.')
  })
})

test('reports all three fields of an empty form, and none of a valid card', () => {
  expect(Object.keys(findCardProblems({ number: '', expiry: '', cvc: '' }, now))).toEqual(['number', 'expiry', 'cvc'])
  expect(findCardProblems(valid, now)).toEqual({})
})

let server: Server
let sandboxUrl: string
let requested: { path: string | undefined; fields: Record<string, string> }
let reply: { status: number; body: string }

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requested = { path: request.url, fields: Object.fromEntries(new URLSearchParams(body)) }
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sandboxUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stripe-sandbox`
})
afterAll(() => server.close())

const confirm = () => confirmAtSandbox({ sandboxUrl, publishableKey: 'pk_test_1' }, valid)('seti_1_secret_abc')

test('sends the card to the setup intent that the secret names', async () => {
  reply = { status: 200, body: JSON.stringify({ id: 'seti_1', payment_method: 'pm_9' }) }
  expect(await confirm()).toBe('pm_9')
  expect(requested.path).toBe('/stripe-sandbox/v1/setup_intents/seti_1/confirm')
  expect(requested.fields).toMatchObject({
    client_secret: 'seti_1_secret_abc',
    key: 'pk_test_1',
    'payment_method_data[card][number]': '4242424242424242',
    'payment_method_data[card][exp_month]': '8',
    'payment_method_data[card][exp_year]': '2029',
    'payment_method_data[card][cvc]': '123',
  })
})

test('rejects a declined card with the message of the provider', async () => {
  reply = { status: 402, body: JSON.stringify({ error: { message: 'Your card was declined.' } }) }
  await expect(confirm()).rejects.toThrow(new CardRefused('Your card was declined.'))
})

test('rejects with an empty message after a response of another format', async () => {
  reply = { status: 502, body: '<html>' }
  await expect(confirm()).rejects.toThrow(new CardRefused(''))
  reply = { status: 200, body: '{}' }
  await expect(confirm()).rejects.toThrow(new CardRefused(''))
})
