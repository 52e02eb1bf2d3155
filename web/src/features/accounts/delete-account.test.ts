import '../../lib/testing/browser-globals.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { expireToken, getAccountEnding, setAccountEnding, TOKEN_EXPIRED } from '../../api/api.ts'
import { getSession, updateSession } from '../../api/session.ts'
import { deleteAccountNow } from './delete-account.ts'

const hasExpired = vi.fn()

beforeEach(() => {
  hasExpired.mockClear()
  setAccountEnding('no')
  updateSession({ token: 'the token', email: 'mara@example.com', planName: '2 TB Annually' })
  window.addEventListener(TOKEN_EXPIRED, hasExpired)
})

afterEach(() => {
  window.removeEventListener(TOKEN_EXPIRED, hasExpired)
  vi.unstubAllGlobals()
})

function response(status: number, whileWaiting = () => {}) {
  vi.stubGlobal('fetch', async () => {
    whileWaiting()
    return new Response(JSON.stringify({ message: 'x' }), { status })
  })
}

test('clears the session of a deleted account without reporting it as expired', async () => {
  response(200, () => expireToken('the token'))
  await deleteAccountNow()
  expect(getSession()).toMatchObject({ token: undefined, email: undefined, planName: 'free' })
  expect(getAccountEnding()).toBe('deleted')
  expireToken(undefined)
  expect(hasExpired).not.toHaveBeenCalled()
})

test('keeps the session when the deletion fails', async () => {
  response(500)
  await expect(deleteAccountNow()).rejects.toMatchObject({ status: 500 })
  expect(getSession().token).toBe('the token')
  expect(getAccountEnding()).toBe('no')
  expect(hasExpired).not.toHaveBeenCalled()
})

test('reports a session that had already expired', async () => {
  response(401)
  await expect(deleteAccountNow()).rejects.toMatchObject({ status: 401 })
  expect(getSession().token).toBeUndefined()
  expect(hasExpired).toHaveBeenCalledOnce()
})
