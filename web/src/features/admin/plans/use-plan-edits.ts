import { type PlanCatalogue, replacePlans, resetPlans } from '@alcove/contract/admin-plans'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../api/api.ts'
import { useAction, useCall } from '../../../api/use-call.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'
import { planCatalogueQuery, takeCatalogue } from './queries.ts'
import { inputOf, isChanged, type StagedPlans, stage } from './staged-plans.ts'

/** Changes that aren't saved yet, with the plans that they began with. */
interface Edits {
  readonly base: PlanCatalogue
  readonly staged: StagedPlans
}

/**
 * Returns the plans with the changes of the administrator, and what can be done with those. `onEnd` runs when there are none any
 * more.
 */
export function usePlanEdits(catalogue: PlanCatalogue, onEnd: () => void) {
  const queryClient = useQueryClient()
  const [edits, setEdits] = useState<Edits>()
  const save = useCall(replacePlans)
  const reset = useCall(resetPlans)
  const { base, staged } = edits ?? { base: catalogue, staged: stage(catalogue.plans) }

  function end(saved?: PlanCatalogue) {
    if (saved) takeCatalogue(queryClient, saved)
    setEdits(undefined)
    save.reset()
    reset.reset()
    onEnd()
  }

  const newer = useAction(async () => {
    await queryClient.fetchQuery(planCatalogueQuery)
    end()
  })

  return {
    staged,
    isDirty: edits !== undefined,
    isBusy: save.isPending || reset.isPending,
    error: save.error ?? reset.error,
    /** Whether somebody else has changed the plans since the changes began, so that saving them would be refused. */
    isOutdated: edits !== undefined && (edits.base.revision !== catalogue.revision || isConflict(save.error)),
    change(next: StagedPlans) {
      save.reset()
      setEdits(isChanged(next, base.plans) ? { base, staged: next } : undefined)
    },
    save() {
      save.mutate(
        { plans: inputOf(staged), revision: base.revision },
        {
          onSuccess: (saved) => {
            end(saved)
            notifySuccess('Saved. Visitors see these plans now.')
          },
          // So that the newer plans can be shown.
          onError: () => void queryClient.invalidateQueries({ queryKey: planCatalogueQuery.queryKey }),
        },
      )
    },
    discard: () => end(),
    isLoadingNewer: newer.isPending,
    loadNewer() {
      newer.mutate(undefined, { onError: () => notifyError('Couldn’t load the plans. Try again.') })
    },
    reset() {
      reset.mutate(
        {},
        {
          onSuccess: (saved) => {
            end(saved)
            notifySuccess('The plans of the installation are sold again.')
          },
        },
      )
    },
  }
}

function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 409
}
