import { calls } from '@alcove/contract/calls'
import { endpoint } from '../../../platform/http/api.ts'
import { actorOf, noteAudit } from '../../audit/index.ts'
import { changeSetting, legalSetting, readSetting } from '../../site/index.ts'

const getLegalTexts = endpoint(calls.getLegalTexts, (ctx) => readSetting(ctx, legalSetting))

const updateLegalTexts = endpoint(calls.updateLegalTexts, (ctx, given) =>
  changeSetting(ctx, legalSetting, async (before, tx) => {
    const after = { terms: given.terms ?? before.terms, privacy: given.privacy ?? before.privacy }
    for (const document of ['terms', 'privacy'] as const) {
      if (after[document] === before[document]) continue
      const details = { characters: after[document].length }
      await noteAudit(ctx, tx, actorOf(ctx), { action: 'site.legal', target: document, details })
    }
    return after
  }),
)

export const legalTextEndpoints = [getLegalTexts, updateLegalTexts]
