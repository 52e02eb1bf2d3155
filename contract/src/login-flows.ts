import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, time } from './fields.ts'
import { MINUTE } from './rate-limits.ts'

/**
 * The browser's part of the login flows of Nextcloud and ownCloud clients: the user allows or denies a client that asks for an app
 * password. The client's part is outside of the API, at the addresses that clients know (`/index.php/login/…`).
 */

const token = z.string().max(1000).describe('From the address that the client opens: `/login/flow/{token}`')

/** Each answer that allows sends a mail and uses up one of the app passwords. */
const ANSWERS = { points: 60, seconds: 15 * MINUTE }

const loginFlow = z.object({
  app: z
    .string()
    .describe('What the client calls itself: `work-laptop (Desktop Client - Linux)`. Anybody can choose it'),
  ip: z.string().describe('The address from which the client asked'),
  startedAt: time,
  account: z.string().describe('The email address of the account that it would use'),
})
/** A client that asks for access. */
export type LoginFlow = z.infer<typeof loginFlow>

export const getLoginFlow = defineCall({
  method: 'GET',
  path: '/login-flow/{token}',
  access: 'user',
  summary: 'Get the Nextcloud client that asks for access. 404 once it was answered, or after 20 minutes',
  input: z.object({ token }),
  output: loginFlow,
})

export const allowLoginFlow = defineCall({
  method: 'POST',
  path: '/login-flow/{token}/allow',
  access: 'user',
  recentSignIn: true,
  summary: 'Allow a Nextcloud client to access the files: creates an app password, which the client receives',
  input: z.object({ token }),
  output: z.object({
    redirect: z
      .string()
      .nullable()
      .describe('The address that hands the app password to the client (`nc://…`). Null if the client polls for it'),
  }),
  rateLimit: ANSWERS,
})

export const denyLoginFlow = defineCall({
  method: 'POST',
  path: '/login-flow/{token}/deny',
  access: 'user',
  summary: 'Deny a Nextcloud client access to the files',
  input: z.object({ token }),
  output: done,
  rateLimit: ANSWERS,
})
