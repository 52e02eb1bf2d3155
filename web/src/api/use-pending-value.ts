import { notifyManager } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * Returns what to show for a value that is being changed: what the user chose last until that has been saved or has
 * failed, and otherwise what is stored. `show(value, saving)` begins a change; `saving` must not settle before the
 * changes that came earlier.
 *
 * `useOptimistic` isn't enough: when one of two overlapping actions ends, it shows the stored value again, and the next
 * click means the opposite of what the user wanted.
 */
export function usePendingValue<Value>(stored: Value) {
  const [pending, setPending] = useState<{ readonly value: Value }>()
  function show(value: Value, saving: Promise<unknown>): void {
    const shown = { value }
    setPending(shown)
    // The query cache notifies its readers in a later task, so this waits for its turn after them.
    const end = () => notifyManager.schedule(() => setPending((now) => (now === shown ? undefined : now)))
    saving.then(end, end)
  }
  return [pending ? pending.value : stored, show] as const
}
