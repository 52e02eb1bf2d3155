/** Less than so many seconds are no place worth going back to, and so near to the end it is over. */
const HEAD = 10
const TAIL = 15

/** Whether a video goes on at a place rather than from the start; both in seconds. */
export function isWorthResuming(place: number | undefined, duration: number): place is number {
  return place !== undefined && place > HEAD && place < duration - TAIL
}
