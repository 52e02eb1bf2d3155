import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { changesUnderWay } from '../api/own-changes.ts'
import { queryKeys } from '../api/query-keys.ts'
import { onUserChange } from '../api/session.ts'

interface Change<Answer> {
  /** The queries that the change affects. They are refetched when it is over. */
  readonly touches: readonly QueryKey[]
  /** Shows the change before the server responds. Returns a function that reverts it. */
  readonly show?: () => () => void
  readonly call: () => Promise<Answer>
  /** Shows the response of the server until the refetch is done. */
  readonly onDone?: (response: Answer) => void
}

const stale = new Map<string, QueryKey>()

/**
 * Makes a change that shows at once, and reverts it if the server refuses it. The affected queries are refetched once
 * no other change is in progress: a response from in between could show for a moment what the user has just removed.
 */
export async function runChange<Answer>(
  queryClient: QueryClient,
  { touches, show, call, onDone }: Change<Answer>,
): Promise<Answer> {
  changesUnderWay.set(changesUnderWay.get() + 1)
  for (const key of touches) stale.set(JSON.stringify(key), key)
  await Promise.all(touches.map((queryKey) => queryClient.cancelQueries({ queryKey })))
  const takeBack = show?.()
  try {
    const response = await call()
    onDone?.(response)
    return response
  } catch (error) {
    takeBack?.()
    throw error
  } finally {
    changesUnderWay.set(changesUnderWay.get() - 1)
    if (changesUnderWay.get() === 0) {
      const keys = [...stale.values()]
      stale.clear()
      for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
      // Lists show item counts of their folders, so lists that aren't on screen are refetched when they are shown.
      void queryClient.invalidateQueries({ queryKey: queryKeys.folders, type: 'inactive', refetchType: 'none' })
    }
  }
}

/** A change that can be undone. */
interface Undoable {
  readonly id: string
  /** Undoes the change and tells the user. Rejects if it may work another time, as without a network. */
  readonly undo: () => Promise<void>
  /** Called when the change can no longer be undone, because it was undone or forgotten. */
  readonly onGone?: () => void
}

/** How many changes can be undone. */
const MAX_STEPS = 20

let stack: readonly Undoable[] = []
let running: Promise<void> = Promise.resolve()

/** Remembers the last change, until the page is reloaded. */
export function rememberUndo(step: Undoable): void {
  const forgotten = stack.slice(0, Math.max(0, stack.length + 1 - MAX_STEPS))
  stack = [...stack.slice(forgotten.length), step]
  for (const { onGone } of forgotten) onGone?.()
}

/** Undoes the given change, or the last one. Returns false if there is none. Changes are undone one after the other. */
export function undo(id?: string): boolean {
  const step = id === undefined ? stack.at(-1) : stack.find((known) => known.id === id)
  if (!step) return false
  stack = stack.filter((known) => known !== step)
  step.onGone?.()
  running = running.then(step.undo).catch(() => {
    stack = [...stack, step]
  })
  return true
}

export function forgetUndos(): void {
  const gone = stack
  stack = []
  for (const { onGone } of gone) onGone?.()
}

// Another user must not undo these changes.
onUserChange(forgetUndos)
