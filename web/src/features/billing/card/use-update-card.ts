import { useRef, useState } from 'react'
import { notifySuccess } from '../../../ui/toasts/notify.tsx'
import { useRefreshPlan } from '../queries.ts'
import { type ConfirmCard, describeCardFailure, updateCard } from './update-card.ts'

/** Updates the card, once at a time, and keeps what came of it for the form to show. */
export function useUpdateCard() {
  const refreshPlan = useRefreshPlan()
  const isRunning = useRef(false)
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  /** Returns whether the card was taken. */
  async function update(confirmCard: ConfirmCard): Promise<boolean> {
    if (isRunning.current) return false
    isRunning.current = true
    setIsBusy(true)
    setFailure(undefined)
    try {
      await updateCard(confirmCard)
      notifySuccess('Card updated successfully.')
      void refreshPlan()
      return true
    } catch (error) {
      setFailure(describeCardFailure(error))
      return false
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }

  return { update, isBusy, failure }
}
