import { z } from 'zod'
import { defineCall } from './call.ts'

/** What the operator tells everybody, in a bar above the page. */
export const announcement = z.object({
  text: z.string(),
  tone: z.enum(['info', 'warning']),
  until: z.string().nullable().describe('When it ends, if it does'),
})
export type Announcement = z.infer<typeof announcement>

/** The texts of an operator, which take the place of the product's own. */
export const legalDocuments = ['terms', 'privacy'] as const
export type LegalDocument = (typeof legalDocuments)[number]

export const getLegalText = defineCall({
  method: 'GET',
  path: '/legal-texts/{document}',
  access: 'public',
  summary: 'Get the terms of service or the privacy policy of the operator, as Markdown',
  input: z.object({ document: z.enum(legalDocuments, 'The documents are terms and privacy.') }),
  output: z.object({ text: z.string().describe('Empty if the operator has written none') }),
})

export const getMaintenance = defineCall({
  method: 'GET',
  path: '/maintenance',
  worksInMaintenance: true,
  access: 'public',
  summary: 'Find out whether the server is under maintenance',
  input: z.object({}),
  output: z.object({ message: z.string().nullable().describe('What the operator says. Null without maintenance') }),
})
