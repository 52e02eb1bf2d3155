import { z } from 'zod'
import { defineCall } from './call.ts'
import { announcement } from './site.ts'

const serverEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('changes'),
    version: z.string().describe('The `version` of `GET /storage`'),
  }),
  z.object({
    type: z.literal('shared'),
    version: z.string().describe('The `shared_version` of `GET /storage`. App passwords don’t get this event'),
  }),
  z.object({
    type: z.literal('notices'),
    unread: z.int().nonnegative().describe('The number of unread notices. App passwords don’t get this event'),
  }),
  z.object({
    type: z.literal('announcement'),
    announcement: announcement
      .nullable()
      .describe('What the operator tells everybody. App passwords don’t get this event'),
  }),
])
/** An event of the stream. A stream keeps only the newest event of each type for a slow reader. */
export type ServerEvent = z.infer<typeof serverEvent>

export const streamEvents = defineCall({
  method: 'GET',
  path: '/events',
  access: 'user',
  scope: 'read',
  summary:
    'Get a stream of events: the current versions of the files and folders and of what others share, the number of unread notices and the announcement at once, and each change within a second. An app password of one folder gets no events',
  input: z.object({}),
  output: serverEvent,
  responseType: 'events',
})
