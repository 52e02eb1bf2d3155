import type { AnyCall, InputOf, OutputOf } from '@alcove/contract/call'
import { type MutateOptions, useMutation } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { CallCancelled, send } from './api.ts'

/** Returns a call that changes something as a mutation that runs at most once at a time. */
export function useCall<C extends AnyCall>(call: C) {
  return useAction<OutputOf<C>, InputOf<C>>((input) => send(call, input))
}

/**
 * Returns an action of the user, such as submitting a form, as a mutation that runs at most once at a time. This is the
 * one guard against double submission: `isPending` alone is known only after the next render, and a double click is
 * faster.
 */
export function useAction<Output, Input = void>(run: (input: Input) => Promise<Output>) {
  const isRunning = useRef(false)
  const { mutate: start, ...mutation } = useMutation({
    mutationFn: run,
    onSettled: () => {
      isRunning.current = false
    },
  })
  const mutate = useCallback(
    (input: Input, options?: MutateOptions<Output, Error, Input>) => {
      if (isRunning.current) return
      isRunning.current = true
      start(input, options && { ...options, onError: unlessCancelled(options.onError) })
    },
    [start],
  )
  // An action that the user cancelled has not failed: it looks as if it had never begun.
  if (mutation.error instanceof CallCancelled) return { ...mutation, ...idle, mutate }
  return { ...mutation, mutate }
}

const idle = { status: 'idle', error: null, isError: false, isIdle: true } as const

/** Passes on a failure, unless the user has cancelled. */
function unlessCancelled<Failed extends (error: Error, ...others: never[]) => unknown>(
  onError: Failed | undefined,
): Failed | undefined {
  if (!onError) return undefined
  return ((error, ...others) => (error instanceof CallCancelled ? undefined : onError(error, ...others))) as Failed
}
