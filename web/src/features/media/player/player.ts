import type { MediaFile } from '@alcove/contract/media'
import { ApiError } from '../../../api/api.ts'
import { getSession, isPaid, subscribeToSession } from '../../../api/session.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { changeQueue, type QueueChange, shuffle } from '../play-queue.ts'
import { type AudioDeck, createAudioDeck } from './audio-deck.ts'
import { followLibrary, placesOf } from './follow-library.ts'
import { forgetPlayer, recallPlayer, rememberPlayer } from './player-memory.ts'
import { currentTrack, getPlayer, getPlayerTime, updatePlayer, updatePlayerTime } from './player-state.ts'
import { dropSource, findSources, forgetSources } from './track-sources.ts'

/** So many seconds before the end, the track that follows is fetched. */
const FETCH_AHEAD = 25
/** Where the player is in a track is remembered this often, in milliseconds. */
const REMEMBER_EVERY = 5000

let deck: AudioDeck | undefined
/** Counts what was put on, so that a response that comes late is not taken for the track that is wanted now. */
let turn = 0
/** Tracks in a row that could not be played: when it is the whole queue, the player rests. */
let failures = 0
/** The track on was asked for itself: where it cannot be played, that is said, and no other one is put on. */
let isChosen = false
let fetchedAhead: string | undefined
/** The deck has the current track: it can be played without fetching its address. */
let isLoaded = false
let rememberedAt = 0

/**
 * Tells the player what music there is. The first time, it finds its place again, without fetching anything; where
 * nothing is remembered, it starts with the first track if it `begins`.
 */
export function setLibrary(library: readonly MediaFile[], { begins = true } = {}): void {
  const player = getPlayer()
  if (player.library === library) return
  if (player.library.length > 0 || player.queue.tracks.length > 0) {
    const before = currentTrack(player)?.id
    updatePlayer({ library, queue: followLibrary(player.queue, player.library, library) })
    if (currentTrack()?.id !== before) void putOn({ isPlayed: player.status === 'playing' })
    return
  }
  const recalled = recallPlayer(library)
  if (recalled) {
    const { time, ...state } = recalled
    updatePlayer({ library, ...state })
    void putOn({ isPlayed: false, at: time })
  } else {
    updatePlayer({
      library,
      queue: changeQueue(player.queue, { type: 'replace', tracks: library.map((_, index) => index) }),
    })
    void putOn({ isPlayed: begins })
  }
}

/** Changes the queue; where that makes another track the current one, it is played. */
export function changePlayerQueue(change: QueueChange): void {
  const player = getPlayer()
  const queue = changeQueue(player.queue, change)
  if (queue === player.queue) return
  const isSame = player.queue.tracks[player.queue.position] === queue.tracks[queue.position]
  updatePlayer({ queue })
  failures = 0
  if (!isSame || change.type === 'replace') void putOn({ isPlayed: true, isAsked: change.type === 'jump' })
  else remember()
}

export function next(): void {
  step('next')
}

export function previous(): void {
  step('previous')
}

function step(type: 'next' | 'previous'): void {
  // The only track begins anew.
  if (getPlayer().queue.tracks.length === 1) void putOn({ isPlayed: true })
  else changePlayerQueue({ type })
}

export function toggleShuffle(): void {
  const { queue } = getPlayer()
  changePlayerQueue(queue.isShuffled ? { type: 'shuffle off' } : { type: 'shuffle on', order: shuffle(queue.tracks) })
}

/** Plays a playlist from its start; gives whether any of its tracks is still there. */
export function playTracks(ids: readonly string[]): boolean {
  const tracks = placesOf(ids, getPlayer().library)
  if (tracks.length === 0) return false
  changePlayerQueue({ type: 'replace', tracks })
  return true
}

export function togglePlaying(): void {
  const { status } = getPlayer()
  if (status === 'playing' || status === 'loading') deck?.pause()
  else if (status === 'failed') void putOn({ isPlayed: true })
  else void play()
}

export function pause(): void {
  deck?.pause()
}

export function seek(seconds: number): void {
  const { duration } = getPlayerTime()
  const position = Math.max(0, Math.min(seconds, duration || seconds))
  deck?.seek(position)
  updatePlayerTime({ position, duration })
}

export function adjust(changes: { volume?: number; isMuted?: boolean; speed?: number; repeatsOne?: boolean }): void {
  updatePlayer(changes)
  deck?.adjust(getPlayer())
  remember()
}

/** Ends the music and closes the small bar. */
export function closePlayer(): void {
  turn += 1
  isLoaded = false
  deck?.eject()
  forgetSources()
  updatePlayer({
    library: [],
    queue: changeQueue(getPlayer().queue, { type: 'replace', tracks: [] }),
    status: 'paused',
    isInUse: false,
  })
  updatePlayerTime({ position: 0, duration: 0 })
  forgetPlayer()
}

// Music ends with the session, and with the plan that it is part of.
subscribeToSession(() => {
  const session = getSession()
  if (getPlayer().isInUse && (!session.token || !isPaid(session))) closePlayer()
})

interface PuttingOn {
  isPlayed: boolean
  /** Seconds. */
  at?: number
  isAsked?: boolean
}

/** Makes the current track the one to play. Its address and its bytes are fetched only once it is to be heard. */
async function putOn({ isPlayed, at = 0, isAsked = false }: PuttingOn): Promise<void> {
  const track = currentTrack()
  isChosen = isAsked
  turn += 1
  const mine = turn
  fetchedAhead = undefined
  isLoaded = false
  updatePlayerTime({ position: at, duration: track?.duration ?? 0 })
  if (!track || !isPlayed) {
    deck?.eject()
    updatePlayer({ status: 'paused' })
    if (track) remember(at)
    return
  }
  updatePlayer({ status: 'loading' })
  remember(at)
  try {
    const [source] = await findSources(track)
    if (mine !== turn) return
    if (!source) return fail(undefined)
    deck ??= createDeck()
    deck.adjust(getPlayer())
    deck.load(source, at)
    isLoaded = true
    await play()
  } catch (error) {
    if (mine === turn) fail(error)
  }
}

/** Autoplay is only attempted: where the browser refuses it, the button is there (specification, section 4). */
async function play(): Promise<void> {
  if (!deck || !isLoaded) return putOn({ isPlayed: true, at: getPlayerTime().position })
  const mine = turn
  try {
    updatePlayer({ status: 'loading' })
    await deck.play()
  } catch (error) {
    if (mine !== turn || !(error instanceof DOMException)) return
    if (error.name === 'NotAllowedError') {
      console.warn('The browser did not start the music by itself:', error.message)
      updatePlayer({ status: 'paused' })
    }
  }
}

function createDeck(): AudioDeck {
  return createAudioDeck({
    onPlaying() {
      failures = 0
      updatePlayer({ status: 'playing', isInUse: true })
      remember()
    },
    onPaused() {
      if (getPlayer().status !== 'failed') updatePlayer({ status: 'paused' })
      remember()
    },
    onWaiting: () => getPlayer().status === 'playing' && updatePlayer({ status: 'loading' }),
    onTime(position, duration) {
      updatePlayerTime({ position, duration: duration || getPlayerTime().duration })
      if (duration - position < FETCH_AHEAD && duration > 0) void fetchAhead()
      if (Date.now() - rememberedAt > REMEMBER_EVERY) remember()
    },
    onEnded() {
      if (getPlayer().repeatsOne) void putOn({ isPlayed: true })
      else next()
    },
    onFailed: () => void recover(),
  })
}

async function fetchAhead(): Promise<void> {
  const { queue, library, repeatsOne } = getPlayer()
  if (repeatsOne || queue.tracks.length < 2) return
  const following = currentTrack({ library, queue: changeQueue(queue, { type: 'next' }) })
  if (!following || fetchedAhead === following.id) return
  fetchedAhead = following.id
  const mine = turn
  try {
    const [source] = await findSources(following)
    if (mine === turn && source) deck?.prepare(source)
  } catch {
    fetchedAhead = undefined // it is asked for again when it is wanted
  }
}

/** What has failed is played from an address that is new, or in another way; when there is none, it is given up. */
async function recover(): Promise<void> {
  const track = currentTrack()
  if (!track) return
  if (!dropSource(track)) return fail(undefined)
  await putOn({ isPlayed: getPlayer().status !== 'paused', at: getPlayerTime().position, isAsked: isChosen })
}

function fail(error: unknown): void {
  const track = currentTrack()
  const { status, queue } = getPlayer()
  const isWanted = status === 'loading' || status === 'playing'
  updatePlayer({ status: 'failed' })
  if (!track || (error instanceof ApiError && error.status === 401)) return
  if (error instanceof ApiError || error === undefined) {
    failures += 1
    forgetSources(track)
    // Where it stays on, the Music screen says so; where another one follows, this is why.
    if (!isWanted || isChosen || failures >= queue.tracks.length) return
    notifyError(`"${track.filename}" could not be played.`)
    changeToNextAfterFailure()
  } else {
    notifyError('The music could not be reached. Check your connection, then try again.')
  }
}

function changeToNextAfterFailure(): void {
  const { queue } = getPlayer()
  updatePlayer({ queue: changeQueue(queue, { type: 'next' }) })
  void putOn({ isPlayed: true })
}

function remember(at = getPlayerTime().position): void {
  rememberedAt = Date.now()
  const player = getPlayer()
  if (player.isInUse) rememberPlayer(player, at)
}
