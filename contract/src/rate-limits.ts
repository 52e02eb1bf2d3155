/** How often one client may do something: `points` within `seconds`. Clients are identified by address or network. */
export interface RateLimit {
  readonly points: number
  readonly seconds: number
}

export const MINUTE = 60
export const HOUR = 60 * MINUTE

/** All calls without a limit of their own, together. */
export const GENERAL_CALLS: RateLimit = { points: 6000, seconds: MINUTE }

/** All calls that carry a file's bytes, together: ten thousand small files are as many requests. Quota limits those. */
export const TRANSFERS: RateLimit = { points: 200_000, seconds: MINUTE }

/** Password hashing is deliberately expensive, so these calls are limited even for the caller's own password. */
export const PASSWORD_CALLS: RateLimit = { points: 300, seconds: 15 * MINUTE }

/** The card provider limits how often we call it, for all users together. */
export const CARD_PROVIDER_CALLS: RateLimit = { points: 300, seconds: 10 * MINUTE }
