import { z } from 'zod'
import { defineCall } from './call.ts'
import { oneLine } from './fields.ts'
import {
  MAX_ANNOUNCEMENT_LENGTH,
  MAX_EMAIL_LENGTH,
  MAX_LEGAL_TEXT_LENGTH,
  MAX_LOGO_BYTES,
  MAX_MAINTENANCE_MESSAGE_LENGTH,
  MAX_SITE_NAME_LENGTH,
  MEBIBYTE,
} from './limits.ts'
import { announcement } from './site.ts'

/** What administrators decide about the look of the site and what it tells its users. */

const appearance = z.object({
  name: z.string(),
  accent: z.string().nullable().describe('Such as `#1c5141`. Null for the color of the product'),
  supportEmail: z.string().nullable().describe('Null for the one in the settings of the server'),
  showsName: z.boolean().describe('Whether the name stands beside the logo'),
  logo: z.object({ url: z.string(), width: z.int(), height: z.int() }).nullable(),
  announcement: announcement.nullable(),
  defaults: z.object({ name: z.string(), supportEmail: z.string() }),
})
export type Appearance = z.infer<typeof appearance>

const admin = { access: 'admin', scope: 'admin' } as const

export const getAppearance = defineCall({
  ...admin,
  method: 'GET',
  path: '/admin/settings/appearance',
  summary: 'Get the name, color, logo and support address of the site, and the announcement',
  input: z.object({}),
  output: appearance,
})

export const updateAppearance = defineCall({
  ...admin,
  method: 'PUT',
  path: '/admin/settings/appearance',
  summary: 'Change how the site looks, and the announcement. What is not given stays as it is',
  input: z.object({
    name: oneLine('The name', MAX_SITE_NAME_LENGTH).min(1, 'Enter a name.').optional(),
    accent: z
      .string('The accent must be a color such as #1c5141.')
      .trim()
      .toLowerCase()
      .regex(/^#[\da-f]{6}$/, 'The accent must be a color such as #1c5141.')
      .nullable()
      .optional(),
    supportEmail: oneLine('The support address', MAX_EMAIL_LENGTH)
      .regex(/^[^\s@<>()",;:\\]+@[^\s@<>()",;:\\]+$/, 'Enter an email address, such as help@example.com.')
      .nullable()
      .optional(),
    showsName: z.boolean('showsName must be true or false.').optional(),
    announcement: z
      .object(
        {
          text: oneLine('The announcement', MAX_ANNOUNCEMENT_LENGTH).min(1, 'Enter the text of the announcement.'),
          tone: z.enum(['info', 'warning'], 'The tone must be info or warning.').default('info'),
          until: z.iso
            .datetime({ offset: true, error: 'until must be a time such as 2026-12-24T18:00:00Z.' })
            .transform((time) => new Date(time).toISOString())
            .nullable()
            .default(null),
        },
        'The announcement must have a text.',
      )
      .nullable()
      .optional()
      .describe('Null removes it'),
  }),
  output: appearance,
})

export const replaceLogo = defineCall({
  ...admin,
  method: 'PUT',
  path: '/admin/settings/logo',
  summary: 'Replace the logo by a PNG, SVG or WebP. The server draws it anew as PNG',
  input: z.object({
    image: z
      .base64('The picture must be in base64.')
      .max(Math.ceil(MAX_LOGO_BYTES / 3) * 4, `A logo can have up to ${MAX_LOGO_BYTES / 1024} KiB.`),
  }),
  output: appearance,
  bodyLimit: MEBIBYTE,
})

export const deleteLogo = defineCall({
  ...admin,
  method: 'DELETE',
  path: '/admin/settings/logo',
  summary: 'Use the logo of the product again',
  input: z.object({}),
  output: appearance,
})

const legalText = z
  .string('The text is missing.')
  .max(MAX_LEGAL_TEXT_LENGTH, `A legal text can have up to ${MAX_LEGAL_TEXT_LENGTH} characters.`)
  .transform((text) => text.replace(/\r\n?/g, '\n').trim())

const legalTexts = z.object({
  terms: z.string().describe('Markdown. Empty for the text of the product'),
  privacy: z.string(),
})

export const getLegalTexts = defineCall({
  ...admin,
  method: 'GET',
  path: '/admin/settings/legal-texts',
  summary: 'Get the terms of service and the privacy policy that take the place of those of the product',
  input: z.object({}),
  output: legalTexts,
})

export const updateLegalTexts = defineCall({
  ...admin,
  method: 'PUT',
  path: '/admin/settings/legal-texts',
  summary: 'Change the legal texts. What is not given stays as it is',
  input: z.object({ terms: legalText.optional(), privacy: legalText.optional() }),
  output: legalTexts,
  bodyLimit: MEBIBYTE,
})

const maintenance = z.object({ on: z.boolean(), message: z.string() })

export const getMaintenanceSettings = defineCall({
  ...admin,
  method: 'GET',
  path: '/admin/settings/maintenance',
  summary: 'Get whether the server is under maintenance, and what it tells everybody',
  input: z.object({}),
  output: maintenance,
})

export const setMaintenance = defineCall({
  ...admin,
  method: 'POST',
  path: '/admin/settings/maintenance',
  summary: 'Begin or end maintenance, in which only administrators can use the server',
  input: z.object({
    on: z.boolean('on must be true or false.'),
    message: oneLine('The message', MAX_MAINTENANCE_MESSAGE_LENGTH).optional().describe('Empty for the usual one'),
  }),
  output: maintenance,
})
