/** The user chose not to go on with a call that had to be confirmed. It is no failure, and nothing is said about it. */
export class CallCancelled extends Error {
  // The name that browsers give to what was called off.
  override readonly name = 'AbortError'
}

/** Asks the user to confirm who they are. Resolves once they have; rejects with `CallCancelled` if they don't want to. */
type Ask = () => Promise<void>

let ask: Ask | undefined
let asking: Promise<void> | undefined

/** Sets who asks the user: the dialog, which lies in a layer above. */
export function setReauthentication(next: Ask): void {
  ask = next
}

/** Has the user confirm who they are. Calls that need it at the same time wait for the same answer. */
export function reauthenticateOnce(): Promise<void> {
  asking ??= (ask?.() ?? Promise.reject(new CallCancelled())).finally(() => {
    asking = undefined
  })
  return asking
}
