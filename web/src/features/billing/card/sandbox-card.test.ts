import '../../../lib/testing/browser-globals.ts'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmAtSandbox } from './sandbox-card.ts'
import { CardRefused } from './update-card.ts'

const card = { number: '4242 4242 4242 4242', expiry: '08 / 29', cvc: '123' }
let server: Server
let sandboxUrl: string
let requested: { path: string | undefined; fields: Record<string, string> }
let answer: { status: number; body: string }

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      requested = { path: request.url, fields: Object.fromEntries(new URLSearchParams(body)) }
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  sandboxUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stripe-sandbox`
})
afterAll(() => server.close())

const confirm = () => confirmAtSandbox({ sandboxUrl, publishableKey: 'pk_test_1' }, card)('seti_1_secret_abc')

test('the card goes to the setup intent that the secret names', async () => {
  answer = { status: 200, body: JSON.stringify({ id: 'seti_1', payment_method: 'pm_9' }) }
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

test('a declined card is refused in the words of the provider', async () => {
  answer = { status: 402, body: JSON.stringify({ error: { message: 'Your card was declined.' } }) }
  await expect(confirm()).rejects.toThrow(new CardRefused('Your card was declined.'))
})

test('an answer of another kind is a refusal without words', async () => {
  answer = { status: 502, body: '<html>' }
  await expect(confirm()).rejects.toThrow(new CardRefused(''))
  answer = { status: 200, body: '{}' }
  await expect(confirm()).rejects.toThrow(new CardRefused(''))
})
