import { z } from 'zod'
import { defineCall, scopes } from './call.ts'
import { APP_PASSWORD_NAME_EMPTY } from './credentials.ts'
import { done, folderIdOrRoot, id, time } from './fields.ts'
import { MAX_APP_PASSWORD_NAME } from './limits.ts'

export const NO_SCOPE = 'The scope must be read, write or upload.'

const appPasswordName = z
  .string(APP_PASSWORD_NAME_EMPTY)
  .trim()
  .min(1, APP_PASSWORD_NAME_EMPTY)
  .max(MAX_APP_PASSWORD_NAME, `The name can have at most ${MAX_APP_PASSWORD_NAME} characters.`)
  .regex(/^\P{Cc}*$/u, 'The name has a character that cannot be shown.')

const scope = z
  .enum(scopes, NO_SCOPE)
  .describe(
    '`read`: only read. `write`: also change everything. `upload`: only add files and folders. ' +
      '`admin`: only the calls for administrators, who alone can create it',
  )

const appPassword = z.object({
  id,
  name: z.string(),
  scope,
  folderId: id.nullable().describe('The only folder it can use. Null for the whole drive'),
  folderPath: z.string().nullable().describe('For example `/Photos/2024`. Null if that folder is in the trash'),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable().describe('To within a minute'),
  app: z.string().nullable().describe('The app that last used it, from its user agent: `rclone`'),
  ip: z.string().nullable().describe('The address of the last use'),
})
/** An app password as its user sees it. */
export type AppPassword = z.infer<typeof appPassword>

export const listAppPasswords = defineCall({
  method: 'GET',
  path: '/app-passwords',
  access: 'user',
  summary: 'List the app passwords that still work, newest first',
  input: z.object({}),
  output: z.object({ appPasswords: z.array(appPassword) }),
})

export const createAppPassword = defineCall({
  method: 'POST',
  path: '/app-passwords',
  access: 'user',
  recentSignIn: true,
  summary: 'Create an app password, which is also an API token',
  input: z.object({
    name: appPasswordName,
    scope,
    folderId: folderIdOrRoot.describe('A folder of the drive, if it may use only that'),
    expiresAt: z.iso
      .datetime({ offset: true, error: 'expiresAt must be a time in ISO 8601 with a time zone.' })
      .nullable()
      .optional(),
  }),
  output: z.object({
    id,
    secret: z.string().describe('Shown only once: 24 letters and digits in groups of four'),
    user: z.string().describe('The user name to sign in with, which is the email address'),
  }),
  status: 201,
})

export const revokeAppPassword = defineCall({
  method: 'DELETE',
  path: '/app-passwords/{id}',
  access: 'user',
  summary: 'Revoke an app password. It stops working at once, and so do its transfers',
  input: z.object({ id }),
  output: done,
})
