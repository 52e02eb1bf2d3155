import { calls } from '@alcove/contract/calls'
import { z } from 'zod'
import { endpoint } from '../../platform/http/api.ts'
import { defineSetting, readSetting } from './settings.ts'

/** The operator's terms of service and privacy policy, as Markdown. Empty for the texts of the product. */
export const legalSetting = defineSetting({
  name: 'legal-texts',
  schema: z.object({ terms: z.string(), privacy: z.string() }),
  initial: () => ({ terms: '', privacy: '' }),
})

export const getLegalText = endpoint(calls.getLegalText, async (ctx, { document }) => {
  const texts = await readSetting(ctx, legalSetting)
  return { text: texts[document] }
})
