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
/** How many changes are being undone, or are next. */
let undoing = 0
/** How often the last change was to be undone while one had no response yet. */
let waiting = 0

/** Remembers the last change, until the page is reloaded. */
export function rememberUndo(step: Undoable): void {
  const forgotten = stack.slice(0, Math.max(0, stack.length + 1 - MAX_STEPS))
  stack = [...stack.slice(forgotten.length), step]
  for (const { onGone } of forgotten) onGone?.()
}

/**
 * Undoes the given change, or the last one, which may still be without a response. Returns false if there is none. Changes are undone one
 * after the other.
 */
export function undo(id?: string): boolean {
  if (id === undefined && undoing === 0 && (waiting > 0 || changesUnderWay.get() > 0)) {
    waiting += 1
    if (waiting === 1) void undoWhenMade(stack.at(-1))
    return true
  }
  const step = id === undefined ? stack.at(-1) : stack.find((known) => known.id === id)
  if (!step) return false
  stack = stack.filter((known) => known !== step)
  step.onGone?.()
  undoing += 1
  running = running
    .then(step.undo)
    .catch(() => {
      stack = [...stack, step]
    })
    .finally(() => {
      undoing -= 1
    })
  return true
}

async function undoWhenMade(before: Undoable | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = changesUnderWay.subscribe(() => {
      if (changesUnderWay.get() > 0) return
      stop()
      resolve()
    })
  })
  // It is remembered just after its response.
  await new Promise((resolve) => setTimeout(resolve))
  // A change that the server refused has been taken back already.
  const times = stack.at(-1) === before ? waiting - 1 : waiting
  waiting = 0
  for (let time = 0; time < times; time += 1) undo()
}

export function forgetUndos(): void {
  const gone = stack
  stack = []
  waiting = 0
  for (const { onGone } of gone) onGone?.()
}

// Another user must not undo these changes.
onUserChange(forgetUndos)
