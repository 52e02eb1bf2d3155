import { hashKey, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { CallCancelled, sentenceOf } from './api.ts'
import { usePendingValue } from './use-pending-value.ts'

interface Setting<Value, Output, Data> {
  /** What the setting is cached with. Changes of everything below this key are sent one after another. */
  readonly queryKey: QueryKey
  readonly save: (value: Value) => Promise<Output>
  /** Returns what is cached after a value has been saved. */
  readonly update: (data: Data, output: Output, value: Value) => Data
  readonly onSaved?: (output: Output, value: Value) => void
  /** Called with the server's sentence, if it sent one. Not called if the user cancelled. */
  readonly onFailed: (sentence: string | undefined) => void
}

/**
 * Returns a setting's value to show, and the function that changes it: a choice is shown at once and saved after those before
 * it, so that the last one stays. If it can't be saved, what is stored is shown again.
 */
export function useSetting<Value, Output, Data>(stored: Value, setting: Setting<Value, Output, Data>) {
  const { queryKey, save, update, onSaved, onFailed } = setting
  const queryClient = useQueryClient()
  const { mutateAsync } = useMutation({
    scope: { id: hashKey(queryKey) },
    mutationFn: save,
    async onSuccess(output, value) {
      // A fetch that began meanwhile may bring what was stored before.
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData<Data>(queryKey, (data) => data && update(data, output, value))
      onSaved?.(output, value)
    },
    onError(error) {
      if (error instanceof CallCancelled) return
      onFailed(sentenceOf(error))
      // The change may have arrived, and only its response was lost.
      void queryClient.invalidateQueries({ queryKey })
    },
  })
  const [shown, show] = usePendingValue(stored)
  return [shown, (value: Value) => show(value, mutateAsync(value))] as const
}
