import { z } from 'zod'
import { defineCall } from './call.ts'
import { MAX_DISPLAY_NAME_LENGTH } from './limits.ts'

/** Control characters, line separators, lone surrogates, and characters that change the text direction. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The name that visitors of a shared link see. An empty text removes it. */
const displayName = z
  .string('Enter a display name.')
  // Far longer than any name, and short enough to normalize cheaply.
  .max(1000, `The display name can have at most ${MAX_DISPLAY_NAME_LENGTH} characters.`)
  .transform((text) => text.normalize('NFC').trim())
  .refine((text) => [...text].length <= MAX_DISPLAY_NAME_LENGTH, {
    error: `The display name can have at most ${MAX_DISPLAY_NAME_LENGTH} characters.`,
  })
  .refine((text) => text === '' || VISIBLE.test(text), { error: 'The display name has no visible character.' })
  .refine((text) => !NOT_SHOWN.test(text), {
    error: 'The display name contains a control character or a text direction mark. Type it without them.',
  })

const profile = z.object({ displayName: z.string().describe('Empty if not set') })

export const getProfile = defineCall({
  method: 'GET',
  path: '/account/profile',
  access: 'user',
  summary: 'Get the display name',
  input: z.object({}),
  output: profile,
})

export const updateProfile = defineCall({
  method: 'PUT',
  path: '/account/profile',
  access: 'user',
  summary: 'Set or remove the display name that shared links show',
  input: z.object({ displayName }),
  output: profile,
})
