import { notifyWithAction } from '../ui/toasts/notify.tsx'
import { rememberUndo, undo } from './lists/undo.ts'

let count = 0

/** Tells that something was done and offers to take it back: by the toast's button, or by Ctrl+Z as long as it is the last. */
export function notifyUndoable(text: string, takeBack: () => Promise<void>, detail?: string): void {
  count += 1
  const id = `undo-${count}`
  const hide = notifyWithAction(text, { label: 'Undo', run: () => undo(id) }, { detail })
  rememberUndo({ id, undo: takeBack, onGone: hide })
}
