/** Windows of this site, of the same browser. The provider's pages can't listen. */
const CHANNEL = 'sign-in confirmations'
const FEATURES = 'popup,width=520,height=720'

/** Opens a window in which the user confirms the session through a provider, so that this page keeps what waits for it. */
export function openConfirmationWindow(provider: string): void {
  window.open(`/sign-in/confirm/${provider}`, '_blank', FEATURES)
}

/** Tells the windows that wait for it that the session is confirmed, and closes this one if the browser allows that. */
export function announceConfirmation(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage('confirmed')
  channel.close()
  window.close()
}

/** Calls `listener` when another window has confirmed the session, until the returned function is called. */
export function onConfirmation(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = listener
  return () => channel.close()
}
