import { z } from 'zod'
import {
  EMAIL,
  INVALID_EMAIL,
  PASSWORD_REQUIREMENTS_NOT_MET,
  PASSWORD_TOO_LONG,
  passwordRules,
  RESET_PASSWORD,
  RESET_PASSWORD_REQUIREMENTS,
} from './credentials.ts'
import { MAX_EMAIL_LENGTH, MAX_FILE_DATE, MAX_PASSWORD_LENGTH } from './limits.ts'
import { FILE_NAME_EMPTY, FOLDER_NAME_EMPTY, findNameProblem, normalizeName } from './names.ts'

/** The fields that several calls share, with the rules and messages of the specification, section 5. */

/** An e-mail address: local part, @, domain, a top-level domain of 2 to 4 letters; stored in lower case. */
export const email = z
  .string({ error: INVALID_EMAIL })
  .trim()
  .toLowerCase()
  .max(MAX_EMAIL_LENGTH, INVALID_EMAIL)
  .regex(EMAIL, INVALID_EMAIL)

/** A password for registration or a password change. It must meet all of `passwordRules`. */
export const newPassword = z
  .string({ error: PASSWORD_REQUIREMENTS_NOT_MET })
  .max(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG)
  .refine((text) => passwordRules.every((rule) => rule.isMet(text)), PASSWORD_REQUIREMENTS_NOT_MET)

/** The current password, required before changes that a stranger at an unlocked screen must not make. */
export const currentPassword = z
  .string('Enter your password.')
  .min(1, 'Enter your password.')
  .max(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG)

/** The same for accounts that may have none, because they sign in through a provider. These need a recent sign-in instead. */
export const ownPassword = z
  .string('Enter your password.')
  .max(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG)
  .optional()
  .describe('Required if the account has a password')

/** A password for a reset. Its alphabet is stricter than at registration (specification, section 5). */
export const passwordForReset = z
  .string({ error: RESET_PASSWORD_REQUIREMENTS })
  .max(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG)
  .regex(RESET_PASSWORD, RESET_PASSWORD_REQUIREMENTS)

/** The id of an item or an upload: a UUID of any version, in lower case. */
export const id = z.guid().toLowerCase()

/** The id of a folder. Nothing, `null` and the empty text, which is how a form sends 'none', mean the root. */
export const folderIdOrRoot = z
  .union([id, z.literal(['', 'null', 'undefined']), z.null()])
  .optional()
  .transform((value) => (value && value !== 'null' && value !== 'undefined' ? value : undefined))

/** A boolean, also as text in forms and queries. */
export const flag = z
  .union([z.boolean(), z.literal(['true', 'false', '1', '0', ''])])
  .optional()
  .transform((value) => (value === undefined ? undefined : value === true || value === 'true' || value === '1'))

/** A non-negative integer, also as text in forms. */
export const count = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,16}$/)])
  .transform(Number)
  .pipe(z.int().nonnegative())

/** JSON in a text field of a form. */
export function jsonText<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text, check): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        check.addIssue({ code: 'custom', message: 'This is not JSON.' })
        return z.NEVER
      }
    })
    .pipe(schema)
    .meta({ contentMediaType: 'application/json' })
}

function itemName(emptyMessage: string) {
  return z
    .string({ error: emptyMessage })
    .transform(normalizeName)
    .superRefine((name, check) => {
      const problem = findNameProblem(name, emptyMessage)
      if (problem) check.addIssue({ code: 'custom', message: problem })
    })
    .describe('1 to 255 bytes in UTF-8, stored in Unicode NFC and otherwise exactly as given')
}

export const folderName = itemName(FOLDER_NAME_EMPTY)
export const fileName = itemName(FILE_NAME_EMPTY)

const UNSAFE_PATH = 'This path is not allowed. It must be relative, without empty parts and without "." or "..".'

/** A relative path such as `Trip/day 1/a.jpg`, split into parts. Paths with `..`, absolute paths and empty parts are rejected. */
export const relativePath = z
  .string()
  .max(32_768)
  .optional()
  .transform((path) => (path ? path.split('/').map(normalizeName) : undefined))
  .superRefine((parts, check) => {
    for (const part of parts ?? []) {
      if (part === '' || part === '.' || part === '..') return check.addIssue({ code: 'custom', message: UNSAFE_PATH })
      const problem = findNameProblem(part, UNSAFE_PATH)
      if (problem) return check.addIssue({ code: 'custom', message: problem })
    }
  })

/** A value with which a passphrase for a vault file can be checked without the file. It reveals neither of them. */
export const vaultCheck = z.string().regex(/^[\w-]{16,64}$/, 'A check value is 16 to 64 characters of base64url.')

const INVALID_LAST_MODIFIED =
  'lastModified must be a date in the years 1970 to 9999, in ISO 8601 with a time zone or in milliseconds since 1970.'

/**
 * The modification date of a file, in milliseconds since 1970. Clients send those, with or without a fraction, or ISO 8601;
 * forms send both as text. A day alone is its beginning in UTC.
 */
export const lastModified = z
  .union(
    [z.number(), z.string().regex(/^\d{1,15}(\.\d{1,15})?$/), z.iso.datetime({ offset: true }), z.iso.date()],
    INVALID_LAST_MODIFIED,
  )
  .transform((value) =>
    Math.floor(typeof value === 'string' && value.includes('-') ? Date.parse(value) : Number(value)),
  )
  .refine((date) => date >= 0 && date <= MAX_FILE_DATE, INVALID_LAST_MODIFIED)

/** A time, ISO 8601 in UTC. */
export const time = z.iso.datetime()

/** The response of calls that return nothing but a confirmation. */
export const done = z.object({ message: z.string() })

/** How segments are made: `copy` remuxes the video stream, `encode` transcodes everything. */
export const segmentWay = z.enum(['copy', 'encode'])
/** The index of a segment or sheet. */
export const partIndex = z
  .string()
  .regex(/^\d{1,6}$/, 'index must be a number.')
  .transform(Number)

/** Characters that could break a line, a mail header, or the direction of writing. */
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/u

/** A text of administrators on one line. */
export function oneLine(what: string, max: number) {
  return z
    .string(`${what} must be a text.`)
    .trim()
    .max(max, `${what} can have up to ${max} characters.`)
    .regex(ONE_LINE, `${what} must be on one line, without control characters.`)
}
