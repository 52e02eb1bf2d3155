import type { TestSandbox } from './test-sandbox.ts'

export interface Shown {
  status: number
  text: string
  location: string | undefined
}

const PREFIX = 'http://localhost:5100'

/** Opens an address of the hosted pages, as a browser would. */
export async function open({ pages }: TestSandbox, url: string): Promise<Shown> {
  return shown(await pages.inject({ method: 'GET', url: url.replace(PREFIX, '') }))
}

/** Sends a form. */
export async function submit({ pages }: TestSandbox, url: string, fields: Record<string, string>): Promise<Shown> {
  const payload = new URLSearchParams(fields).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return shown(await pages.inject({ method: 'POST', url: url.replace(PREFIX, ''), headers, payload }))
}

function shown(response: { statusCode: number; body: string; headers: Record<string, unknown> }): Shown {
  const { location } = response.headers
  return {
    status: response.statusCode,
    text: response.body,
    location: typeof location === 'string' ? location : undefined,
  }
}

/** The card form, filled in with a card that pays. */
export function cardForm(fields: Record<string, string> = {}): Record<string, string> {
  const card = { number: '4242 4242 4242 4242', expiry: '08 / 29', cvc: '123' }
  return { ...card, name: 'Mara Oyelaran', country: 'PT', ...fields }
}
