import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startChromium } from '../browser/chromium.ts'
import { connectToPage, type Page } from '../browser/page.ts'

export interface Viewport {
  readonly width: number
  readonly height: number
}

/** A page of a signed-in user, with the pointer and the keys of its device. */
export interface Screen {
  readonly page: Page
  /** Moves the pointer onto the element that an expression finds, and clicks it. */
  click(element: string, options?: Click): Promise<void>
  /** Presses a key, or keys at once: `Control+a`. */
  press(keys: string): Promise<void>
  /** Waits until the page has drawn what it had to, and has had no long task for a moment. */
  rest(): Promise<void>
  /** Returns the processor time of the page's main thread so far, in milliseconds. */
  readWork(): Promise<number>
}

export interface Click {
  readonly button?: 'left' | 'right'
  readonly times?: 1 | 2
  readonly isWithControl?: boolean
}

/** Without a screen, Chromium has a pointer that can't hover, as on a phone. */
const WITH_MOUSE = [
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
]
const PHONE = 600

/** Opens an address in a new browser profile, lets `work` use it, and removes the profile. */
export async function onScreen<T>(
  dir: string,
  viewport: Viewport,
  storage: Readonly<Record<string, string>>,
  url: string,
  work: (screen: Screen) => Promise<T>,
): Promise<T> {
  const profile = await mkdtemp(join(dir, 'browser-'))
  const chromium = await startChromium(profile, 'about:blank', viewport.width > PHONE ? WITH_MOUSE : [])
  if (!chromium) throw new Error('There is no Chromium: ALCOVE_CHROMIUM can name one.')
  try {
    const page = await connectToPage(chromium.devtools)
    await page.command('Page.enable')
    await page.command('Network.enable')
    await page.command('Performance.enable', { timeDomain: 'threadTicks' })
    await page.command('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
    const source = `Object.assign(localStorage, ${JSON.stringify(storage)});(${observe})()`
    await page.command('Page.addScriptToEvaluateOnNewDocument', { source })
    await page.command('Page.navigate', { url })
    return await work(screenOf(page))
  } finally {
    chromium.stop()
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** How long the pointer is over an element before it clicks, in milliseconds. */
const HOVER = 150
/** The time between the clicks of a double click, in milliseconds. */
const BETWEEN_CLICKS = 120
const REST = 500
const WITHIN = 30_000
const CONTROL = 2
const CODES: Record<string, number> = { Enter: 13, Escape: 27, ArrowRight: 39, F2: 113 }

function screenOf(page: Page): Screen {
  const mouse = (type: string, options: object) => page.command('Input.dispatchMouseEvent', { type, ...options })
  return {
    page,
    async click(element, { button = 'left', times = 1, isWithControl = false } = {}) {
      await page.until(element, WITHIN)
      const place = await page.evaluate<{ x: number; y: number }>(
        `(({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 }))((${element}).getBoundingClientRect())`,
      )
      await mouse('mouseMoved', place)
      await wait(HOVER)
      const modifiers = isWithControl ? CONTROL : 0
      for (let clickCount = 1; clickCount <= times; clickCount += 1) {
        if (clickCount > 1) await wait(BETWEEN_CLICKS)
        await mouse('mousePressed', { ...place, button, clickCount, modifiers })
        await mouse('mouseReleased', { ...place, button, clickCount, modifiers })
      }
    },
    async press(keys) {
      const key = keys.split('+').at(-1) as string
      const isWithControl = keys.startsWith('Control+')
      const event = {
        key,
        modifiers: isWithControl ? CONTROL : 0,
        windowsVirtualKeyCode: CODES[key] ?? key.toUpperCase().charCodeAt(0),
        ...(key.length === 1 && !isWithControl && { text: key }),
      }
      await page.command('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
      await page.command('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
    },
    async readWork() {
      const { metrics } = await page.command<{ metrics: { name: string; value: number }[] }>('Performance.getMetrics')
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
    },
    async rest() {
      await wait(REST)
      await page.until(`window.restingFor() > ${REST}`, WITHIN)
    },
  }
}

/** Runs in the page before its own scripts. */
function observe(): void {
  let slowest = 0
  let lastTask = 0
  const longTasks: number[] = []
  // Not Event Timing: it waits for a frame that changes what is visible, and if a menu opens transparent, for the next interaction.
  for (const type of ['pointerdown', 'pointerup', 'click', 'dblclick', 'contextmenu', 'keydown', 'keyup']) {
    const take = ({ timeStamp }: Event) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        // Messages arrive after the frame has been painted.
        port1.onmessage = () => {
          slowest = Math.max(slowest, performance.now() - timeStamp)
        }
        port2.postMessage(undefined)
      })
    window.addEventListener(type, take, { capture: true, passive: true })
  }
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      longTasks.push(duration)
      lastTask = startTime + duration
    }
  }).observe({ type: 'longtask', buffered: true })
  Object.assign(window, {
    restingFor: () => performance.now() - lastTask,
    takeInteraction() {
      const taken = slowest
      slowest = 0
      return taken
    },
    takeLongTasks: () => longTasks.splice(0),
  })
}
