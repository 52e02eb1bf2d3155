import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startChromium } from './chromium.ts'
import { connectToPage, type Page } from './page.ts'
import { slowDown } from './slow-device.ts'

/** A page has loaded when it had no requests and no long tasks for this long. */
const QUIET = 2_000
const LOADED_WITHIN = 60_000

export interface PageVisit {
  readonly url: string
  readonly viewport: { readonly width: number; readonly height: number }
  /** Entries of the local storage before the page opens. */
  readonly storage?: Readonly<Record<string, string>>
}

export interface PageLoad {
  /** In milliseconds after the start of the navigation. */
  readonly firstPaint: number
  readonly largestPaint: number
  readonly largestElement: string
  readonly shift: number
  /** Milliseconds of long tasks beyond their first 50, from the first paint until the page is quiet. */
  readonly blocking: number
  readonly requests: number
  /** Bytes received, compressed and with headers. */
  readonly bytes: number
  readonly scriptBytes: number
}

type Observed = Omit<PageLoad, 'requests' | 'bytes' | 'scriptBytes'> & { readonly lastTask: number }

/** Loads a page in a new browser profile, with a slow network and processor. Returns undefined if there is no Chromium. */
export async function loadPage(dir: string, visit: PageVisit): Promise<PageLoad | undefined> {
  const profile = await mkdtemp(join(dir, 'browser-'))
  const chromium = await startChromium(profile)
  if (!chromium) return undefined
  try {
    return await measureLoad(await connectToPage(chromium.devtools), visit)
  } finally {
    chromium.stop()
    await rm(profile, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function measureLoad(page: Page, { url, viewport, storage = {} }: PageVisit): Promise<PageLoad> {
  const traffic = watchTraffic(page)
  await page.command('Page.enable')
  await page.command('Network.enable')
  await page.command('Emulation.setDeviceMetricsOverride', { ...viewport, deviceScaleFactor: 1, mobile: false })
  await page.command('Page.addScriptToEvaluateOnNewDocument', {
    source: `Object.assign(localStorage, ${JSON.stringify(storage)});(${observe})()`,
  })
  await slowDown(page)
  await page.command('Page.navigate', { url })
  const deadline = Date.now() + LOADED_WITHIN
  for (;;) {
    await wait(250)
    const observed = await page.evaluate<Observed>('window.readLoad()')
    const isQuiet = traffic.quietFor() > QUIET && Date.now() - observed.lastTask > QUIET
    if (isQuiet && observed.largestPaint > 0) return { ...observed, ...traffic.read() }
    if (Date.now() > deadline) throw new Error(`${url} did not become quiet.`)
  }
}

/** Counts the requests of the page. An open event stream doesn't count as activity. */
function watchTraffic(page: Page) {
  const open = new Set<string>()
  const scripts = new Set<string>()
  let requests = 0
  let bytes = 0
  let scriptBytes = 0
  let changedAt = Date.now()
  page.on<{ requestId: string; type: string; request: { url: string } }>('Network.requestWillBeSent', (event) => {
    if (!event.request.url.startsWith('http')) return
    requests += 1
    changedAt = Date.now()
    open.add(event.requestId)
  })
  page.on<{ requestId: string; type: string; response: { mimeType: string } }>(
    'Network.responseReceived',
    ({ requestId, type, response }) => {
      if (type === 'Script') scripts.add(requestId)
      if (response.mimeType === 'text/event-stream') open.delete(requestId)
    },
  )
  page.on<{ requestId: string; encodedDataLength: number }>('Network.loadingFinished', (event) => {
    bytes += event.encodedDataLength
    if (scripts.has(event.requestId)) scriptBytes += event.encodedDataLength
    changedAt = Date.now()
    open.delete(event.requestId)
  })
  page.on<{ requestId: string }>('Network.loadingFailed', ({ requestId }) => {
    changedAt = Date.now()
    open.delete(requestId)
  })
  return {
    quietFor: () => (open.size > 0 ? 0 : Date.now() - changedAt),
    read: () => ({ requests, bytes, scriptBytes }),
  }
}

/** Runs in the page before its own scripts. */
function observe(): void {
  const load = { firstPaint: 0, largestPaint: 0, largestElement: '', shift: 0 }
  const tasks: PerformanceEntry[] = []
  const watch = (type: string, take: (entry: never) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as never)
    }).observe({ type, buffered: true })
  watch('paint', (entry: PerformanceEntry) => {
    if (entry.name === 'first-contentful-paint') load.firstPaint = entry.startTime
  })
  watch('largest-contentful-paint', (entry: PerformanceEntry & { element?: Element }) => {
    load.largestPaint = entry.startTime
    load.largestElement = entry.element?.outerHTML.replace(/<svg.*/s, '').slice(0, 100) ?? ''
  })
  watch('layout-shift', (entry: PerformanceEntry & { value: number; hadRecentInput: boolean }) => {
    if (!entry.hadRecentInput) load.shift += entry.value
  })
  watch('longtask', (entry: PerformanceEntry) => tasks.push(entry))
  Object.assign(window, {
    readLoad: () => ({
      ...load,
      blocking: tasks
        .map(({ startTime, duration }) => startTime + duration - Math.max(startTime, load.firstPaint) - 50)
        .reduce((sum, time) => sum + Math.max(0, time), 0),
      lastTask: performance.timeOrigin + Math.max(0, ...tasks.map(({ startTime, duration }) => startTime + duration)),
    }),
  })
}
