import { sentenceOf } from '../../../api/api.ts'
import { Notice } from '../../../ui/Notice.tsx'

interface SaveStateProps {
  readonly action: { readonly isError: boolean; readonly isSuccess: boolean; readonly error: Error | null }
  /** The text after success. */
  readonly saved: string
}

/** Says how saving went. */
export function SaveState({ action, saved }: SaveStateProps) {
  if (action.isError) return <Notice tone="error" text={sentenceOf(action.error) ?? 'Couldn’t save. Try again.'} />
  if (action.isSuccess) return <Notice tone="success" text={saved} />
  return null
}
