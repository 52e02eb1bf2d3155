interface LoginDestination {
  readonly target?: string
  /** Whether the user was on the way to buy a plan. */
  readonly isBuying: boolean
}

/** Where a login leads. A stored target counts only when it is a path of ours. */
export function destinationAfterLogin({ target, isBuying }: LoginDestination): string {
  if (isBuying) return '/subscriptions?redirect=payment'
  return target && /^\/(?!\/)/.test(target) ? target : '/profile'
}
