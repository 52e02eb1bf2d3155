import { z } from 'zod'

/** Every error code of the API with its HTTP status. */
export const errorStatus = {
  malformed: 400,
  weak_password: 400,
  invalid_token: 400,
  unauthenticated: 401,
  incorrect_credentials: 401,
  payment_failed: 402,
  not_activated: 403,
  account_suspended: 403,
  wrong_password: 403,
  wrong_code: 403,
  passkey_refused: 403,
  password_required: 403,
  sign_in_refused: 403,
  reauthentication_required: 403,
  plan_required: 403,
  two_factor_setup_required: 403,
  forbidden: 403,
  not_found: 404,
  email_taken: 409,
  name_taken: 409,
  current_plan: 409,
  already_activated: 409,
  state_conflict: 409,
  upload_incomplete: 409,
  upload_completed: 409,
  size_mismatch: 409,
  quota_exceeded: 413,
  item_limit: 413,
  too_large: 413,
  no_thumbnail: 415,
  not_playable: 415,
  range_not_satisfiable: 416,
  locked: 423,
  too_many_requests: 429,
  internal: 500,
  payments_unavailable: 503,
  provider_unavailable: 503,
  unavailable: 503,
  maintenance: 503,
  storage_full: 507,
} as const

export type ErrorCode = keyof typeof errorStatus

/** The body of every error. The sentence is there twice, because the specification reads `error` for some calls and `message` for others. */
export const errorBody = z.object({
  error: z.string().describe('What went wrong, in words that can be shown to users'),
  message: z.string().describe('The same sentence'),
  code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
  resendOption: z.boolean().optional().describe('The account is not activated: the activation mail can be sent again'),
  missing: z.array(z.int()).optional().describe('The first 100 chunks that have not arrived'),
  failed: z
    .array(z.object({ itemId: z.string(), name: z.string().optional(), code: z.string(), error: z.string() }))
    .optional()
    .describe('The first 100 items that prevented a bulk change, with reasons. Nothing was changed'),
  existing: z
    .object({
      type: z.enum(['file', 'folder']),
      size: z.number(),
      updatedAt: z.string(),
      modifiedAt: z.string().optional().describe('Of a file'),
    })
    .optional()
    .describe('The item that already has the name of the upload'),
  locks: z
    .array(
      z.object({
        itemId: z.string(),
        name: z.string().describe('Of the locked item'),
        app: z.string().describe('Which app holds the lock, such as `LibreOffice on Linux`'),
        expiresAt: z.string(),
      }),
    )
    .optional()
    .describe('The first 100 locks that prevent the change'),
  missingBytes: z.number().optional().describe('How many bytes of free space are missing'),
})
export type ErrorBody = z.infer<typeof errorBody>
