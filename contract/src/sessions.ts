import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, id, time } from './fields.ts'

const session = z.object({
  id,
  device: z.string().describe('For example `Chrome on Windows`, from the user agent'),
  ip: z.string().nullable().describe('The address of the last use'),
  createdAt: time,
  lastUsedAt: time.describe('To within ten minutes'),
  isCurrent: z.boolean().describe('The session of this request'),
})
/** A session as its user sees it. */
export type Session = z.infer<typeof session>

export const listSessions = defineCall({
  method: 'GET',
  path: '/account/sessions',
  access: 'user',
  summary: "List the user's sessions: this one first, then by last use",
  input: z.object({}),
  output: z.object({ sessions: z.array(session) }),
})

export const endSession = defineCall({
  method: 'DELETE',
  path: '/account/session/{id}',
  access: 'user',
  recentSignIn: true,
  summary: 'End another session',
  input: z.object({ id }),
  output: done,
})

export const endOtherSessions = defineCall({
  method: 'POST',
  path: '/account/sessions/end-others',
  access: 'user',
  recentSignIn: true,
  summary: 'End all other sessions',
  input: z.object({}),
  output: z.object({ message: z.string(), count: z.int().nonnegative() }),
})
