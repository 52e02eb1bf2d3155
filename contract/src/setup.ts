import { z } from 'zod'
import { signedIn } from './accounts.ts'
import { defineCall } from './call.ts'
import { done, email, newPassword } from './fields.ts'
import { HOUR } from './rate-limits.ts'

/** From the one-time address that the server prints while it has no administrator. */
const token = z.string('The token is missing.').max(64, 'The token is too long.')

/** Whoever guesses gets the same response as at an address where nothing is. */
const rateLimit = { points: 60, seconds: HOUR }

export const checkSetup = defineCall({
  method: 'POST',
  path: '/setup/check',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Check the one-time address of the first administrator',
  input: z.object({ token }),
  output: z.object({ isOpen: z.literal(true) }),
  rateLimit,
})

export const setUp = defineCall({
  method: 'POST',
  path: '/setup',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Create the account of the first administrator, activated, and sign in',
  input: z.object({ token, email, password: newPassword }),
  output: signedIn,
  status: 201,
  rateLimit,
})

export const claimSetup = defineCall({
  method: 'POST',
  path: '/setup/claim',
  worksInMaintenance: true,
  access: 'user',
  summary: 'Become the first administrator, with the one-time address',
  input: z.object({ token }),
  output: done,
  rateLimit,
})
