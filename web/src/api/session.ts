import { FREE_PLAN, isPaidPlan } from '@alcove/contract/plans'
import { hasPlans } from '../lib/site.ts'
import { createStore, useStore } from '../lib/store.ts'

/** What the browser remembers of the user. Each field is an entry of local storage. */
interface StoredSession {
  readonly token?: string
  readonly planName: string
  readonly planId?: number
  readonly email?: string
  /** Where to go after signing in. */
  readonly target?: string
  /** The plan chosen before signing in. */
  readonly pendingPlan?: number
  /** The sort order of files. */
  readonly fileSort?: string
  /** The view of files: 'grid' or 'list'. */
  readonly fileView?: string
  /** Whether the details pane is open: 'yes' or absent. */
  readonly detailsOpen?: string
  /** The order and grouping of music. */
  readonly musicView?: string
  /** Whether there is music to resume: 'yes' or absent. */
  readonly player?: string
  /** Proves that this browser registered the account whose activation link it opens. */
  readonly proof?: string
  /** The announcement that the user has closed. */
  readonly closedAnnouncement?: string
}

interface Session extends StoredSession {
  /** The id of the signed-in user. Unlike the address, it never changes. */
  readonly userId?: string
}

/** The token is the last one: when other tabs see its change, they see the others too. */
const keys = [
  'planName',
  'planId',
  'email',
  'target',
  'pendingPlan',
  'fileSort',
  'fileView',
  'detailsOpen',
  'musicView',
  'player',
  'proof',
  'closedAnnouncement',
  'token',
] as const satisfies (keyof StoredSession)[]

const NO_SESSION: Session = { planName: FREE_PLAN.planName }

const store = createStore(NO_SESSION)

/** Set in a tab whose player was closed. Another tab that sounds keeps its own. */
const PLAYER_CLOSED = 'player closed'

/** Sets who is signed in, for what is rendered at build time; nobody is by default. */
export function assumeSession(session = NO_SESSION): void {
  store.set(session)
}

function load(): Session {
  const token = localStorage.getItem('token') ?? undefined
  return {
    token,
    userId: readUserId(token),
    planName: localStorage.getItem('planName') ?? FREE_PLAN.planName,
    planId: loadNumber('planId'),
    email: localStorage.getItem('email') ?? undefined,
    target: localStorage.getItem('target') ?? undefined,
    pendingPlan: loadNumber('pendingPlan'),
    fileSort: localStorage.getItem('fileSort') ?? undefined,
    fileView: localStorage.getItem('fileView') ?? undefined,
    detailsOpen: localStorage.getItem('detailsOpen') ?? undefined,
    musicView: localStorage.getItem('musicView') ?? undefined,
    player: (sessionStorage.getItem(PLAYER_CLOSED) === null && localStorage.getItem('player')) || undefined,
    proof: localStorage.getItem('proof') ?? undefined,
    closedAnnouncement: localStorage.getItem('closedAnnouncement') ?? undefined,
  }
}

/** Returns the subject of a token, which is the user's id. */
function readUserId(token: string | undefined): string | undefined {
  try {
    const payload = token?.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/')
    return payload && (JSON.parse(atob(payload)) as { sub?: string }).sub
  } catch {
    return undefined
  }
}

function loadNumber(key: 'planId' | 'pendingPlan'): number | undefined {
  const text = localStorage.getItem(key)
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

function reload(): void {
  store.set(load())
}

/** Returns the session as it is now, for code that renders nothing. */
export const getSession = store.get

/** Calls `listener` at each change of the session until the returned function is called. */
export const subscribeToSession = store.subscribe

/** Calls `listener` when the session ends or another one begins. */
export function onSessionChange(listener: () => void): void {
  let { token } = getSession()
  subscribeToSession(() => {
    if (getSession().token === token) return
    token = getSession().token
    listener()
  })
}

/** Calls `listener` when another user is signed in than before, or nobody is. A new token of the same user is no change. */
export function onUserChange(listener: () => void): void {
  let user = getSession().userId
  subscribeToSession(() => {
    const { userId } = getSession()
    if (userId === user) return
    user = userId
    listener()
  })
}

/** Stores the given fields. A field that is `undefined` is removed; the others stay. */
export function updateSession(changes: Partial<StoredSession>): void {
  for (const key of keys) {
    if (!(key in changes)) continue
    const value = changes[key]
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, String(value))
  }
  reload()
}

/** Returns whether the last user has signed out or deleted the account. A session that expires leaves the name of the plan. */
export function hasSignedOut(): boolean {
  return localStorage.getItem('planName') === null
}

/** Clears the browser's storage, for example after an account has been deleted. */
export function forgetEverything(): void {
  localStorage.clear()
  sessionStorage.clear()
  reload()
}

/** Returns whether the session's plan includes the vault, music and video. Without plans, every account has them. */
export function isPaid(session: Session): boolean {
  return isPaidPlan(session.planName) || !hasPlans()
}

/**
 * Returns the session, kept up to date, also with changes in other tabs. During hydration nobody is signed in, as when
 * the page was prerendered.
 */
export function useSession(): Session {
  return useStore(store)
}

interface UsersPlan {
  readonly planId: number
  readonly planName: string
}

/**
 * Stores the plan from a response of the server. `token` is the one that the request was sent with: the response is
 * ignored if another user has signed in meanwhile.
 */
export function rememberPlan({ planId, planName }: UsersPlan, token: string | undefined): void {
  const session = getSession()
  if (token === undefined || session.token !== token) return
  if (session.planId !== planId || session.planName !== planName) updateSession({ planId, planName })
}

const scrollKey = (place: string) => `scroll ${place}`

/** Remembers the scroll position of a page in this tab, for Back and reloads. */
export function rememberScroll(place: string, y: number): void {
  sessionStorage.setItem(scrollKey(place), String(Math.round(y)))
}

export function recallScroll(place: string): number {
  return Number(sessionStorage.getItem(scrollKey(place)) ?? 0)
}

/** A sign-in through a provider that this tab has started. */
export interface SignInFlow {
  /** Finishes the flow. Nobody else has it. */
  readonly secret: string
  readonly purpose: 'sign in' | 'link' | 'confirm'
}

const FLOW = 'sign-in flow'

export function setSignInFlow(flow: SignInFlow): void {
  sessionStorage.setItem(FLOW, JSON.stringify(flow))
}

/** Returns the flow that this tab has started, and forgets it: each is finished once. */
export function takeSignInFlow(): SignInFlow | undefined {
  const text = sessionStorage.getItem(FLOW)
  sessionStorage.removeItem(FLOW)
  return text === null ? undefined : (JSON.parse(text) as SignInFlow)
}

/** Notes that there is music to resume, or that the user has closed the player of this tab. */
export function setPlayerOpen(isOpen: boolean): void {
  if (isOpen) sessionStorage.removeItem(PLAYER_CLOSED)
  else sessionStorage.setItem(PLAYER_CLOSED, 'yes')
  updateSession({ player: isOpen ? 'yes' : undefined })
}

const PLAYER = 'player memory'

/**
 * Returns the state of the music player, in its own format. It changes every few seconds, so it isn't part of the
 * session.
 */
export function getPlayerMemory(): string | undefined {
  return localStorage.getItem(PLAYER) ?? undefined
}

export function setPlayerMemory(memory: string): void {
  localStorage.setItem(PLAYER, memory)
}

const VIDEO_PLACES = 'video places'
/** The number of videos remembered. The one that was watched longest ago is dropped. */
const MAX_VIDEO_PLACES = 200

function loadVideoPlaces(): Record<string, number> {
  try {
    return (JSON.parse(localStorage.getItem(VIDEO_PLACES) ?? '{}') ?? {}) as Record<string, number>
  } catch {
    return {}
  }
}

/** Returns how far a video has been watched in this browser, in seconds. */
export function getVideoPlace(id: string): number | undefined {
  const place: unknown = loadVideoPlaces()[id]
  return typeof place === 'number' && place > 0 ? place : undefined
}

/** 0 removes it. */
export function setVideoPlace(id: string, seconds: number): void {
  const { [id]: _, ...others } = loadVideoPlaces()
  const kept = Object.entries(others).slice(-MAX_VIDEO_PLACES + 1)
  const places = seconds > 0 ? [...kept, [id, Math.round(seconds)]] : kept
  localStorage.setItem(VIDEO_PLACES, JSON.stringify(Object.fromEntries(places)))
}

const linkKey = (token: string) => `link ${token}`

/** Returns the access that the password of a public link gave, kept until the tab is closed. */
export function getLinkAccess(token: string): string | undefined {
  return sessionStorage.getItem(linkKey(token)) ?? undefined
}

export function setLinkAccess(token: string, access: string | undefined): void {
  if (access === undefined) sessionStorage.removeItem(linkKey(token))
  else sessionStorage.setItem(linkKey(token), access)
}

/** What this browser sends through a public link. */
export interface Submission {
  /** Authorizes the uploads. Absent until the first one, and after the link has refused it. */
  readonly secret?: string
  /** The name that the visitor has entered. */
  readonly name?: string
}

const submissionKey = (token: string) => `submission ${token}`

/** Returns what is known of the submission, kept until the browser's storage is cleared, so that uploads resume after a reload. */
export function getSubmission(token: string): Submission {
  try {
    const { secret, name } = JSON.parse(localStorage.getItem(submissionKey(token)) ?? '{}') as Record<string, unknown>
    return {
      secret: typeof secret === 'string' ? secret : undefined,
      name: typeof name === 'string' ? name : undefined,
    }
  } catch {
    return {}
  }
}

export function setSubmission(token: string, submission: Submission): void {
  try {
    localStorage.setItem(submissionKey(token), JSON.stringify(submission))
  } catch {
    // The storage is full or disabled. Uploads then don't resume after a reload.
  }
}

// Pages are also rendered at build time, where no browser is.
if (typeof window !== 'undefined') {
  reload()
  // `key` is null when another tab clears the whole storage.
  window.addEventListener('storage', ({ key }) => {
    if (key === null || keys.some((name) => name === key)) reload()
  })
}
