import { percentile } from '../measurements.ts'
import type { Screen } from './screen.ts'

/** How a page behaved while it scrolled. */
export interface Scrolled {
  readonly longTasks: number
  /** The processor time of the page's main thread, in milliseconds. */
  readonly work: number
  /** The 95th percentile of the time between two frames, in milliseconds. */
  readonly p95: number
  /** The share of the frames that the screen wanted and didn't get, in percent. */
  readonly dropped: number
  /** The share of the frames in which the window had scrolled beyond the rendered rows, in percent. */
  readonly blank: number
}

/** As fast as a flick of the finger or of a wheel, in pixels per second. */
const SPEED = 3_000
const DISTANCE = 12_000
const FRAME = 1000 / 60

/** Scrolls down with the wheel. */
export async function scroll({ page, rest, readWork }: Screen, { x, y }: { x: number; y: number }): Promise<Scrolled> {
  await page.evaluate('scrollTo(0, 0)')
  await rest()
  await page.evaluate(`(${watchFrames})()`)
  await page.evaluate('window.takeLongTasks()')
  const before = await readWork()
  await page.command('Input.synthesizeScrollGesture', {
    ...{ x, y, yDistance: -DISTANCE, speed: SPEED, preventFling: true, gestureSourceType: 'mouse' },
  })
  const { frames, scrolls, blanks, end } = await page.evaluate<Frames>('window.stopFrames()')
  const work = (await readWork()) - before
  const longTasks = await page.evaluate<number[]>('window.takeLongTasks()')
  if (end < DISTANCE * 0.9) throw new Error(`The page scrolled only ${end} of ${DISTANCE} pixels.`)
  const dropped = frames.reduce((sum, time) => sum + Math.max(0, Math.round(time / FRAME) - 1), 0)
  return {
    longTasks: longTasks.length,
    work,
    p95: percentile(frames, 0.95),
    dropped: (100 * dropped) / (dropped + frames.length),
    blank: (100 * blanks) / Math.max(1, scrolls),
  }
}

interface Frames {
  /** The time between one frame and the next, in milliseconds. */
  readonly frames: number[]
  readonly scrolls: number
  readonly blanks: number
  /** Where the scrolling ended. */
  readonly end: number
}

/** Runs in the page. Listens before the page does, so it sees the rows that were there when the window scrolled. */
function watchFrames(): void {
  const body = document.querySelector('[role=grid] [role=rowgroup]') as HTMLElement
  const frames: number[] = []
  let [scrolls, blanks, last, isOver] = [0, 0, performance.now(), false]
  const top = body.getBoundingClientRect().top + scrollY
  /** The space between rows is at most this, in pixels. */
  const gap = 16
  function look(): void {
    scrolls += 1
    const bottom = Math.min(scrollY + innerHeight, top + body.offsetHeight)
    let covered = Math.max(scrollY, top)
    for (const row of body.children as HTMLCollectionOf<HTMLElement>) {
      const [, y] = /translateY\(([\d.]+)px\)/.exec(row.style.transform) ?? []
      const start = top + Number(y)
      const end = start + row.offsetHeight
      if (start <= covered + gap && end > covered) covered = end
    }
    if (covered + gap < bottom) blanks += 1
  }
  function tick(now: number): void {
    frames.push(now - last)
    last = now
    if (!isOver) requestAnimationFrame(tick)
  }
  window.addEventListener('scroll', look, { capture: true, passive: true })
  requestAnimationFrame((now) => {
    last = now
    requestAnimationFrame(tick)
  })
  Object.assign(window, {
    stopFrames() {
      isOver = true
      window.removeEventListener('scroll', look, { capture: true })
      return { frames, scrolls, blanks, end: scrollY }
    },
  })
}
