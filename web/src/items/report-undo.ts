import { ApiError, sentenceOf } from '../api/api.ts'
import { siteName } from '../lib/site.ts'
import { notifyError, notifySuccess, notifyWithAction } from '../ui/toasts/notify.tsx'
import { rememberUndo, undo } from './changes.ts'

let undoCount = 0

/** Shows that a change was made and offers to undo it: by the toast's button, or by Ctrl+Z while it is the last change. */
export function notifyUndoable(text: string, takeBack: () => Promise<void>, detail?: string): void {
  undoCount += 1
  const id = `undo-${undoCount}`
  const hide = notifyWithAction(text, { label: 'Undo', run: () => undo(id) }, { detail })
  rememberUndo({ id, undo: takeBack, onGone: hide })
}

/**
 * Undoes a change and shows the result. Rejects if the server couldn't be reached, because then the change can still be
 * undone later.
 */
export async function undoChange(done: string, takeBack: () => Promise<unknown>): Promise<void> {
  try {
    await takeBack()
    notifySuccess(done)
  } catch (error) {
    const failed = error instanceof ApiError ? error.body?.failed?.[0]?.error : undefined
    notifyError(`Couldn't undo this: ${failed ?? sentenceOf(error) ?? `Couldn't reach ${siteName}.`}`)
    if (!(error instanceof ApiError)) throw error
  }
}
