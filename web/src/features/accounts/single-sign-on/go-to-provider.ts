import { startConfirmation, startLink, startSignIn } from '@alcove/contract/single-sign-on'
import { send } from '../../../api/api.ts'
import { type SignInFlow, setSignInFlow } from '../../../api/session.ts'

/** Leaves this page for a provider, which then sends the browser to `/sign-in/callback/{provider}`. Never resolves unless it fails. */
export async function goToProvider(provider: string, purpose: SignInFlow['purpose'], code?: string): Promise<void> {
  const { url, secret } = await start(provider, purpose, code)
  if (!/^https?:/.test(url)) throw new Error('The provider has an address that browsers must not open.')
  setSignInFlow({ secret, purpose })
  window.location.assign(url)
  await new Promise(() => undefined)
}

function start(provider: string, purpose: SignInFlow['purpose'], code: string | undefined) {
  if (purpose === 'link') return send(startLink, { provider })
  if (purpose === 'confirm') return send(startConfirmation, { provider, code })
  return send(startSignIn, { provider })
}
