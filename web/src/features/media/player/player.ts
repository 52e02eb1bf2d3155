import type { MediaFile } from '@alcove/contract/media'
import { ApiError } from '../../../api/api.ts'
import { getSession, isPaid, subscribeToSession } from '../../../api/session.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import { type AudioDeck, createAudioDeck } from './audio-deck.ts'
import { changeQueue, followLibrary, placesOf, type QueueChange, shuffle } from './play-queue.ts'
import { forgetPlayer, recallPlayer, rememberPlayer } from './player-memory.ts'
import { currentTrack, getPlayer, getPlayerTime, isPlayerOn, updatePlayer, updatePlayerTime } from './player-state.ts'
import { dropSource, findSources, forgetSources } from './track-sources.ts'

/** How long before the end the next track is fetched, in seconds. */
const FETCH_AHEAD = 25
/** How often the position in the track is remembered, in milliseconds. */
const REMEMBER_EVERY = 5000

let deck: AudioDeck | undefined
/** Counts the tracks that were started, so that a late response isn't used for another track. */
let turn = 0
/** How many tracks in a row couldn't be played. After the whole queue the player stops. */
let failures = 0
/** Whether the user chose the current track. If it can't be played, the player doesn't skip it. */
let isChosen = false
let fetchedAhead: string | undefined
/** Whether the deck has the current track, so that it can be played without a request. */
let isLoaded = false
let rememberedAt = 0

/**
 * Sets the music library. The first time, this restores the queue and the position without fetching anything. If nothing
 * is remembered and `begins` is set, the first track is played.
 */
export function setLibrary(library: readonly MediaFile[], { begins = true } = {}): void {
  const player = getPlayer()
  if (player.library === library) return
  if (player.library.length > 0 || player.queue.tracks.length > 0) {
    const before = currentTrack(player)?.id
    updatePlayer({ library, queue: followLibrary(player.queue, player.library, library) })
    if (currentTrack()?.id !== before) void startTrack({ isPlayed: isPlayerOn(player) })
    return
  }
  const recalled = recallPlayer(library)
  if (recalled) {
    const { time, ...state } = recalled
    updatePlayer({ library, ...state })
    void startTrack({ isPlayed: false, at: time })
  } else {
    updatePlayer({
      library,
      queue: changeQueue(player.queue, { type: 'replace', tracks: library.map((_, index) => index) }),
    })
    void startTrack({ isPlayed: begins })
  }
}

/** Changes the queue. If that changes the current track, the new one is played. */
export function changePlayerQueue(change: QueueChange): void {
  const player = getPlayer()
  const queue = changeQueue(player.queue, change)
  if (queue === player.queue) return
  const isSame = player.queue.tracks[player.queue.position] === queue.tracks[queue.position]
  updatePlayer({ queue })
  failures = 0
  if (!isSame || change.type === 'replace') void startTrack({ isPlayed: true, isChosenByUser: change.type === 'jump' })
  else remember()
}

export function next(): void {
  step('next')
}

export function previous(): void {
  step('previous')
}

function step(type: 'next' | 'previous'): void {
  // If there is only one track, it starts over.
  if (getPlayer().queue.tracks.length === 1) void startTrack({ isPlayed: true })
  else changePlayerQueue({ type })
}

export function toggleShuffle(): void {
  const { queue } = getPlayer()
  changePlayerQueue(queue.isShuffled ? { type: 'shuffle off' } : { type: 'shuffle on', order: shuffle(queue.tracks) })
}

/** Plays a playlist from its start. Returns whether any of its tracks still exists. */
export function playTracks(ids: readonly string[]): boolean {
  const tracks = placesOf(ids, getPlayer().library)
  if (tracks.length === 0) return false
  changePlayerQueue({ type: 'replace', tracks })
  return true
}

export function togglePlaying(): void {
  const { status } = getPlayer()
  if (isPlayerOn()) pause()
  else if (status === 'failed') void startTrack({ isPlayed: true })
  else void play()
}

/** Pauses the music, also if it hasn't begun to sound: then what is being loaded doesn't start. */
export function pause(): void {
  deck?.pause()
  if (!isPlayerOn()) return
  if (!isLoaded) turn += 1
  updatePlayer({ status: 'paused' })
  remember()
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

/** Stops the music and closes the small player. */
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

// The music stops when the session or the paid plan ends.
subscribeToSession(() => {
  const session = getSession()
  if (getPlayer().isInUse && (!session.token || !isPaid(session))) closePlayer()
  // Another tab has closed its player. While this one sounds, it keeps its own.
  else if (isPlayerOn() && session.player === undefined) remember()
})

interface StartOptions {
  isPlayed: boolean
  /** The position to start at, in seconds. */
  at?: number
  isChosenByUser?: boolean
}

/** Switches the player to the current track. Its address and bytes are fetched only if it is to be played. */
async function startTrack({ isPlayed, at = 0, isChosenByUser = false }: StartOptions): Promise<void> {
  const track = currentTrack()
  isChosen = isChosenByUser
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
  // The track before must not sound under the name of this one while its address is fetched.
  deck?.stop()
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

/** Tries to play. If the browser refuses autoplay, the user has to press Play (specification, section 4). */
async function play(): Promise<void> {
  if (!deck || !isLoaded) return startTrack({ isPlayed: true, at: getPlayerTime().position })
  const mine = turn
  try {
    updatePlayer({ status: 'loading' })
    await deck.play()
  } catch (error) {
    if (mine !== turn || !(error instanceof DOMException)) return
    if (error.name === 'NotAllowedError') {
      console.warn('The browser blocked autoplay of the music:', error.message)
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
      if (getPlayer().repeatsOne) void startTrack({ isPlayed: true })
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
    fetchedAhead = undefined // it is requested again when it is played
  }
}

/** Plays the failed track from a new address or another source, or gives up if there is none. */
async function recover(): Promise<void> {
  const track = currentTrack()
  if (!track) return
  if (!dropSource(track)) return fail(undefined)
  await startTrack({
    isPlayed: getPlayer().status !== 'paused',
    at: getPlayerTime().position,
    isChosenByUser: isChosen,
  })
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
    // If the track stays, the Music screen says so. If the next one follows, this message says why.
    if (!isWanted || isChosen || failures >= queue.tracks.length) return
    notifyError(`Couldn't play "${track.filename}".`)
    changeToNextAfterFailure()
  } else {
    notifyError("Couldn't load the music. Check your connection, then try again.")
  }
}

function changeToNextAfterFailure(): void {
  const { queue } = getPlayer()
  updatePlayer({ queue: changeQueue(queue, { type: 'next' }) })
  void startTrack({ isPlayed: true })
}

function remember(at = getPlayerTime().position): void {
  rememberedAt = Date.now()
  const player = getPlayer()
  if (player.isInUse) rememberPlayer(player, at)
}
