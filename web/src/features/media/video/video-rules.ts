/** Returns the index of the next video: a random other one with shuffle, else the next, and the first after the last. */
export function nextVideo(
  index: number,
  count: number,
  isShuffled: boolean,
  random: () => number = Math.random,
): number {
  if (count < 2) return 0
  if (!isShuffled) return (index + 1) % count
  const drawn = Math.floor(random() * (count - 1))
  return drawn < index ? drawn : drawn + 1
}

export function previousVideo(index: number, count: number): number {
  return count === 0 ? 0 : (index - 1 + count) % count
}

/** How long before the end of a video the next one is announced, in seconds. */
const LAST_SECONDS = 12
/** Shorter videos announce nothing, in seconds. */
const LONG_ENOUGH = 45

/** Returns whether a video is about to end, so that the next one is announced. */
export function isNearEnd({ currentTime, duration, ended }: HTMLVideoElement): boolean {
  return !ended && duration >= LONG_ENOUGH && duration - currentTime <= LAST_SECONDS
}

/** How far from the start and the end a position must be to be resumed, in seconds. */
const HEAD = 10
const TAIL = 15

/** Returns whether a video resumes at a position instead of starting over; both in seconds. */
export function isWorthResuming(place: number | undefined, duration: number): place is number {
  return place !== undefined && place > HEAD && place < duration - TAIL
}
