import type { Announcement } from '@alcove/contract/site'
import { createStore } from '../lib/store.ts'
import { onSessionChange } from './session.ts'

/** What the operator tells everybody, as the last response or event says. Undefined before: then the page itself says it. */
export const announced = createStore<Announcement | null | undefined>(undefined)

/** What the server says while only administrators can use it. */
export const maintenance = createStore<string | undefined>(undefined)

// Whoever signs in may be an administrator.
onSessionChange(() => maintenance.set(undefined))
