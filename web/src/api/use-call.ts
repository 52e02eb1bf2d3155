import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import { type MutateOptions, useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { send } from './api.ts'
import { CallCancelled } from './reauthentication.ts'

/**
 * A call that changes something, as a mutation that runs at most once at a time. `isPending` alone would not do: it is
 * known only after the next render, and a double click is faster.
 */
export function useCall<C extends AnyCall>(call: C) {
  const isRunning = useRef(false)
  const { mutate: start, ...mutation } = useMutation({
    mutationFn: (input: InputOf<C>) => send(call, input),
    onSettled: () => {
      isRunning.current = false
    },
  })
  const mutate = useCallback(
    (input: InputOf<C>, options?: MutateOptions<OutputOf<C>, Error, InputOf<C>>) => {
      if (isRunning.current) return
      isRunning.current = true
      start(input, options && { ...options, onError: unlessCancelled(options.onError) })
    },
    [start],
  )
  // What the user called off has not failed: it looks as if it had never been begun.
  if (mutation.error instanceof CallCancelled) return { ...mutation, ...idle, mutate }
  return { ...mutation, mutate }
}

const idle = { status: 'idle', error: null, isError: false, isIdle: true } as const

/** Passes on a failure, unless the user has called the call off. */
function unlessCancelled<Failed extends (error: Error, ...others: never[]) => unknown>(
  onError: Failed | undefined,
): Failed | undefined {
  if (!onError) return undefined
  return ((error, ...others) => (error instanceof CallCancelled ? undefined : onError(error, ...others))) as Failed
}
