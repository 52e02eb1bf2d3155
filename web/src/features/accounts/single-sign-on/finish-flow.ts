import type { SignedIn } from '@alcove/contract/accounts'
import { finishForAccount, finishSignIn } from '@alcove/contract/single-sign-on'
import { send } from '../../../api/api.ts'
import { type SignInFlow, takeSignInFlow } from '../../../api/session.ts'
import { failureText } from '../failure-text.ts'
import { announceConfirmation } from './confirmation-window.ts'

/** What comes after the return from a provider. */
export type Outcome =
  | { readonly step: 'signed in'; readonly signedIn: SignedIn }
  | { readonly step: 'code'; readonly challenge: string; readonly ticket: string }
  | { readonly step: 'link'; readonly email: string; readonly ticket: string }
  | { readonly step: 'linked'; readonly message: string }
  | { readonly step: 'confirmed' }
  | { readonly step: 'failed'; readonly text: string; readonly isSignedIn: boolean }

let finishing: { readonly query: string; readonly outcome: Promise<Outcome> } | undefined

/** Finishes the flow that this tab has started. Each is finished once, however often React asks. */
export function finishFlow(provider: string, query: string): Promise<Outcome> {
  if (finishing?.query !== query) finishing = { query, outcome: finish(provider, query) }
  return finishing.outcome
}

async function finish(provider: string, query: string): Promise<Outcome> {
  const flow = takeSignInFlow()
  if (!flow) {
    const text = 'This sign-in was started in another tab or browser, or is already finished. Please start again.'
    return { step: 'failed', text, isSignedIn: false }
  }
  try {
    return await finishAt(provider, query, flow)
  } catch (error) {
    const text = failureText(error, 'The sign-in could not be finished. Please start again.')
    return { step: 'failed', text, isSignedIn: flow.purpose !== 'sign in' }
  }
}

async function finishAt(provider: string, query: string, { secret, purpose }: SignInFlow): Promise<Outcome> {
  if (purpose === 'sign in') {
    const finished = await send(finishSignIn, { provider, query, secret })
    if (finished.result === 'signed_in') return { step: 'signed in', signedIn: finished }
    return finished.result === 'code_required' ? { step: 'code', ...finished } : { step: 'link', ...finished }
  }
  const { message } = await send(finishForAccount, { provider, query, secret })
  if (purpose === 'link') return { step: 'linked', message }
  announceConfirmation()
  return { step: 'confirmed' }
}
