import '../lib/testing/browser-globals.ts'
import { getDataUrl } from '@alcove/contract/accounts'
import { endOtherSessions } from '@alcove/contract/sessions'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallCancelled, send, setReauthentication, TOKEN_EXPIRED } from './api.ts'
import { updateSession } from './session.ts'

let isConfirmed = false
let sent: string[] = []

beforeEach(() => {
  isConfirmed = false
  sent = []
  updateSession({ token: 'the token' })
  vi.stubGlobal('fetch', async (address: string) => {
    sent.push(address)
    const body = isConfirmed ? { url: 'https://example.com', message: 'x', count: 1 } : refusal
    return new Response(JSON.stringify(body), { status: isConfirmed ? 200 : 403 })
  })
})
afterEach(() => vi.unstubAllGlobals())

const refusal = { error: 'x', message: 'x', code: 'reauthentication_required' }
const confirmAsynchronously = vi.fn(async () => {
  await Promise.resolve()
  isConfirmed = true
})

test('concurrent calls share one confirmation, after which each is sent again', async () => {
  setReauthentication(confirmAsynchronously)
  const responses = await Promise.all([send(getDataUrl, {}), send(endOtherSessions, {})])
  expect(responses).toMatchObject([{ url: 'https://example.com' }, { count: 1 }])
  expect(confirmAsynchronously).toHaveBeenCalledOnce()
  expect(sent).toHaveLength(4)
})

test("a call that the user doesn't confirm is cancelled and can be repeated", async () => {
  setReauthentication(() => Promise.reject(new CallCancelled()))
  await expect(send(getDataUrl, {})).rejects.toBeInstanceOf(CallCancelled)
  setReauthentication(confirmAsynchronously)
  await expect(send(getDataUrl, {})).resolves.toMatchObject({ url: 'https://example.com' })
})

test("a call that is refused again doesn't ask the user a second time", async () => {
  const ask = vi.fn(() => Promise.resolve())
  setReauthentication(ask)
  await expect(send(getDataUrl, {})).rejects.toMatchObject({ status: 403 })
  expect(ask).toHaveBeenCalledOnce()
  expect(sent).toHaveLength(2)
})

test('a call is not sent again if another user has signed in meanwhile', async () => {
  setReauthentication(async () => {
    isConfirmed = true
    updateSession({ token: 'another token' })
  })
  await expect(send(getDataUrl, {})).rejects.toBeInstanceOf(CallCancelled)
  expect(sent).toHaveLength(1)
})

test('a response to a request of the previous user is dropped', async () => {
  const tokenOf = (userId: string) => `.${btoa(JSON.stringify({ sub: userId }))}.`
  updateSession({ token: tokenOf('mara') })
  isConfirmed = true
  const asked = send(getDataUrl, {})
  updateSession({ token: tokenOf('noor') })
  await expect(asked).rejects.toBeInstanceOf(CallCancelled)
})

test('the reason why a session has ended is not replaced when requests without it are refused', async () => {
  const reasons: unknown[] = []
  const note = (event: Event) => reasons.push((event as CustomEvent).detail)
  window.addEventListener(TOKEN_EXPIRED, note)
  const suspended = { error: 'This account is suspended.', message: 'x', code: 'account_suspended' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(suspended), { status: 403 }))
  await expect(send(getDataUrl, {})).rejects.toMatchObject({ status: 403 })
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 401 }))
  await expect(send(getDataUrl, {})).rejects.toMatchObject({ status: 401 })
  window.removeEventListener(TOKEN_EXPIRED, note)
  expect(reasons).toEqual(['This account is suspended.'])
})
