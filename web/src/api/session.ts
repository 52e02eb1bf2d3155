import { FREE_PLAN, isPaidPlan } from '@alcove/contract/plans'
import { useSyncExternalStore } from 'react'

/** What the browser remembers of its user: each field under its own name in local storage. */
export interface Session {
  readonly token?: string
  readonly planName: string
  readonly planId?: number
  readonly email?: string
  /** Where to go after signing in. */
  readonly target?: string
  /** The plan chosen before signing in. */
  readonly pendingPlan?: number
  /** How the user wants files sorted. */
  readonly fileSort?: string
  /** How the user wants files shown: 'grid' or 'list'. */
  readonly fileView?: string
  /** Whether the details of what is selected are shown: 'yes' or absent. */
  readonly detailsOpen?: string
  /** How the user wants music listed: its order and its groups. */
  readonly musicView?: string
  /** There is music to be gone on with: 'yes' or absent. */
  readonly player?: string
  /** Shows that this browser has registered the account whose activation link is opened in it. */
  readonly proof?: string
}

const keys = [
  'token',
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
] as const satisfies (keyof Session)[]

const NO_SESSION: Session = { planName: FREE_PLAN.planName }

const listeners = new Set<() => void>()
// Pages are also rendered at build time, where no browser is.
const isBrowser = typeof window !== 'undefined'
let current = isBrowser ? load() : NO_SESSION
let atBuildTime = NO_SESSION

/** Says who is signed in, for what is rendered at build time; nobody is by default. */
export function assumeSession(session = NO_SESSION): void {
  atBuildTime = session
}

function load(): Session {
  return {
    token: localStorage.getItem('token') ?? undefined,
    planName: localStorage.getItem('planName') ?? FREE_PLAN.planName,
    planId: loadNumber('planId'),
    email: localStorage.getItem('email') ?? undefined,
    target: localStorage.getItem('target') ?? undefined,
    pendingPlan: loadNumber('pendingPlan'),
    fileSort: localStorage.getItem('fileSort') ?? undefined,
    fileView: localStorage.getItem('fileView') ?? undefined,
    detailsOpen: localStorage.getItem('detailsOpen') ?? undefined,
    musicView: localStorage.getItem('musicView') ?? undefined,
    player: localStorage.getItem('player') ?? undefined,
    proof: localStorage.getItem('proof') ?? undefined,
  }
}

function loadNumber(key: 'planId' | 'pendingPlan'): number | undefined {
  const text = localStorage.getItem(key)
  return text !== null && /^\d+$/.test(text) ? Number(text) : undefined
}

function reload(): void {
  current = load()
  for (const listener of listeners) listener()
}

/** The session as it is now, for code that renders nothing. */
export function getSession(): Session {
  return current
}

/** Stores the given fields; one that is `undefined` is removed, the others stay. */
export function updateSession(changes: Partial<Session>): void {
  for (const key of keys) {
    if (!(key in changes)) continue
    const value = changes[key]
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, String(value))
  }
  reload()
}

/** Empties the browser's storage, as after an account is deleted: nothing of it stays behind. */
export function forgetEverything(): void {
  localStorage.clear()
  sessionStorage.clear()
  reload()
}

/** Whether the session's plan opens the vault, music and video. */
export function isPaid(session: Session): boolean {
  return isPaidPlan(session.planName)
}

/**
 * Returns the session, kept up to date, also with what other tabs of this browser do. While a prerendered page is
 * hydrated there is none: nobody was signed in when it was rendered.
 */
export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, getSession, () => atBuildTime)
}

/** Calls `listener` at each change of the session until the returned function is called. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const scrollKey = (place: string) => `scroll ${place}`

/** How far a place of the product was scrolled in this tab, so that Back and a reload find it as it was left. */
export function rememberScroll(place: string, y: number): void {
  sessionStorage.setItem(scrollKey(place), String(Math.round(y)))
}

export function recallScroll(place: string): number {
  return Number(sessionStorage.getItem(scrollKey(place)) ?? 0)
}

const PLAYER = 'player memory'

/** What the music player was playing, and how, in its own words. Kept apart: it changes every few seconds. */
export function getPlayerMemory(): string | undefined {
  return localStorage.getItem(PLAYER) ?? undefined
}

export function setPlayerMemory(memory: string): void {
  localStorage.setItem(PLAYER, memory)
}

const VIDEO_PLACES = 'video places'
/** So many videos are remembered; the one not watched for longest gives way. */
const MAX_VIDEO_PLACES = 200

function loadVideoPlaces(): Record<string, number> {
  try {
    return (JSON.parse(localStorage.getItem(VIDEO_PLACES) ?? '{}') ?? {}) as Record<string, number>
  } catch {
    return {}
  }
}

/** How far a video has been watched in this browser, in seconds. */
export function getVideoPlace(id: string): number | undefined {
  const place: unknown = loadVideoPlaces()[id]
  return typeof place === 'number' && place > 0 ? place : undefined
}

/** 0 forgets it. */
export function setVideoPlace(id: string, seconds: number): void {
  const { [id]: _, ...others } = loadVideoPlaces()
  const kept = Object.entries(others).slice(-MAX_VIDEO_PLACES + 1)
  const places = seconds > 0 ? [...kept, [id, Math.round(seconds)]] : kept
  localStorage.setItem(VIDEO_PLACES, JSON.stringify(Object.fromEntries(places)))
}

const linkKey = (token: string) => `link ${token}`

/** What the password of a public link opened, kept as long as the tab. */
export function getLinkAccess(token: string): string | undefined {
  return sessionStorage.getItem(linkKey(token)) ?? undefined
}

export function setLinkAccess(token: string, access: string | undefined): void {
  if (access === undefined) sessionStorage.removeItem(linkKey(token))
  else sessionStorage.setItem(linkKey(token), access)
}

// `key` is null when another tab clears the whole storage.
if (isBrowser) {
  window.addEventListener('storage', ({ key }) => {
    if (key === null || keys.some((name) => name === key)) reload()
  })
}
