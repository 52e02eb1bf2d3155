import { z } from 'zod'
import { defineCall } from './call.ts'
import { time } from './fields.ts'
import { MAX_DISPLAY_NAME_LENGTH } from './limits.ts'
import { visitorNameRule } from './links.ts'
import { MINUTE } from './rate-limits.ts'

/** What a visitor needs to know to send files through a link. */
export const fileRequest = z.object({
  title: z.string().nullable(),
  message: z.string().nullable(),
  visitorName: visitorNameRule,
  maxFileBytes: z.int().positive().nullable(),
  maxFiles: z.int().positive().nullable().describe('For all visitors together'),
  fileTypes: z.array(z.string()).describe('The allowed extensions; empty for all'),
  expiresAt: time.nullable(),
})
export type FileRequest = z.infer<typeof fileRequest>

export const openSubmission = defineCall({
  method: 'POST',
  path: '/public/{token}/submissions',
  access: 'public',
  summary:
    'Begin to send files through a link. The secret authorizes the calls of uploads (`Authorization: Bearer`), which then store in the folder of the link',
  input: z.object({
    token: z.string(),
    access: z.string().max(200).optional().describe('From `/unlock`, for a link with a password'),
    visitorName: z
      .string()
      .transform((name) => name.trim().normalize('NFC'))
      .refine(
        (name) => [...name].length <= MAX_DISPLAY_NAME_LENGTH,
        `A name can have at most ${MAX_DISPLAY_NAME_LENGTH} characters.`,
      )
      .optional(),
  }),
  output: z.object({ secret: z.string() }),
  status: 201,
  rateLimit: { points: 60, seconds: 15 * MINUTE },
})
