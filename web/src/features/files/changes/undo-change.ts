import { ApiError } from '../../../api/api.ts'
import { sentenceOf } from '../../../api/sentence-of.ts'
import { notifyError, notifySuccess } from '../../../ui/toasts/notify.tsx'

/**
 * Takes a change back and says so, or why that cannot be. Rejects where it may work another time, since the server
 * could not be reached: then the step can still be undone.
 */
export async function undoChange(done: string, takeBack: () => Promise<unknown>): Promise<void> {
  try {
    await takeBack()
    notifySuccess(done)
  } catch (error) {
    const failed = error instanceof ApiError ? error.body?.failed?.[0]?.error : undefined
    notifyError(`This cannot be undone: ${failed ?? sentenceOf(error) ?? 'Alcove could not be reached.'}`)
    if (!(error instanceof ApiError)) throw error
  }
}
