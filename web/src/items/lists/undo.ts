import { getSession, subscribeToSession } from '../../api/session.ts'

/** Something that was done and can be taken back. */
export interface Undoable {
  readonly id: string
  /** Takes it back, and says so. Rejects when that may work another time, as without a network. */
  readonly undo: () => Promise<void>
  /** It has been taken back, or is forgotten: nothing should offer it any more. */
  readonly onGone?: () => void
}

/** How many steps are remembered. */
const MAX_STEPS = 20

let stack: readonly Undoable[] = []
let running: Promise<void> = Promise.resolve()
let owner = getSession().email

/** Remembers what was done last. It outlives the screen, not the page. */
export function rememberUndo(step: Undoable): void {
  const forgotten = stack.slice(0, Math.max(0, stack.length + 1 - MAX_STEPS))
  stack = [...stack.slice(forgotten.length), step]
  for (const { onGone } of forgotten) onGone?.()
}

/** Takes back the given step, or else the last one; false when there is none. Steps are taken back one by one. */
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

// What one user has done is not for the next one to take back.
subscribeToSession(() => {
  const { token, email } = getSession()
  if (token && email === owner) return
  owner = email
  forgetUndos()
})
