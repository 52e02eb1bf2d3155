import { z } from 'zod'
import { defineCall } from './call.ts'
import { done, id, time } from './fields.ts'

const session = z.object({
  id,
  device: z.string().describe('Like `Chrome on Windows`, as far as the browser told'),
  ip: z.string().nullable().describe('From where it was last used'),
  createdAt: time,
  lastUsedAt: time.describe('To within ten minutes'),
  isCurrent: z.boolean().describe('The one that asks'),
})
/** A stay of the user in some browser, for their eyes. */
export type Session = z.infer<typeof session>

export const listSessions = defineCall({
  method: 'GET',
  path: '/account/sessions',
  access: 'user',
  summary: 'Where the user is signed in: this session first, then the latest used',
  input: z.object({}),
  output: z.object({ sessions: z.array(session) }),
})

export const endSession = defineCall({
  method: 'DELETE',
  path: '/account/session/{id}',
  access: 'user',
  recentSignIn: true,
  summary: 'Sign a browser out from afar',
  input: z.object({ id }),
  output: done,
})

export const endOtherSessions = defineCall({
  method: 'POST',
  path: '/account/sessions/end-others',
  access: 'user',
  recentSignIn: true,
  summary: 'Sign out everywhere but here',
  input: z.object({}),
  output: z.object({ message: z.string(), count: z.int().nonnegative() }),
})
