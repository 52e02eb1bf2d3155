/** The size of one picture in pixels, and the number of pictures in a row and in a sheet. */
export const PICTURE = { width: 160, height: 90 }
export const SHEET = { columns: 5, pictures: 10 }
const MAX_PICTURES = 120
/** The minimum number of seconds between two pictures. */
const LEAST_STEP = 1
/** The positions of the small pictures in a film. */
export interface Storyboard {
  /** Seconds from one picture to the next. */
  readonly step: number
  readonly count: number
  readonly duration: number
}

export function planStoryboard(duration: number): Storyboard {
  const step = Math.max(LEAST_STEP, duration / MAX_PICTURES)
  return { step, count: Math.max(1, Math.round(duration / step)), duration }
}

export function countSheets({ count }: Storyboard): number {
  return Math.ceil(count / SHEET.pictures)
}

/** Writes which region of which sheet belongs to which time: WebVTT whose texts are addresses. */
export function writeStoryboard({ step, count, duration }: Storyboard, addressOf: (sheet: number) => string): string {
  const cues = Array.from({ length: count }, (_, index) => {
    const place = index % SHEET.pictures
    const [x, y] = [(place % SHEET.columns) * PICTURE.width, Math.floor(place / SHEET.columns) * PICTURE.height]
    const times = `${formatTime(index * step)} --> ${formatTime(index + 1 === count ? duration : (index + 1) * step)}`
    return `${times}\n${addressOf(Math.floor(index / SHEET.pictures))}#xywh=${x},${y},${PICTURE.width},${PICTURE.height}\n`
  })
  return `WEBVTT\n\n${cues.join('\n')}`
}

/** Formats a time for WebVTT: `hh:mm:ss.mmm`. */
function formatTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${parts.join(':')}.${String(Math.floor((seconds % 1) * 1000)).padStart(3, '0')}`
}
