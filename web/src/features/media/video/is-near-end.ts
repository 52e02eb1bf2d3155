/** For so many seconds before its end a video says what comes next. */
const LAST_SECONDS = 12
/** A clip is over before that could be read. */
const LONG_ENOUGH = 45

/** Whether a video is about to end, so that it is time to say which one follows. */
export function isNearEnd({ currentTime, duration, ended }: HTMLVideoElement): boolean {
  return !ended && duration >= LONG_ENOUGH && duration - currentTime <= LAST_SECONDS
}
