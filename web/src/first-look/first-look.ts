import type { OutputOf } from '@alcove/contract/call'
import type { getStorage } from '@alcove/contract/files'
import type { listItems } from '@alcove/contract/item-calls'
import type { File } from '@alcove/contract/items'
import { FREE_PLAN, isPaidPlan, NO_PLAN_NAME } from '@alcove/contract/plans'
import { describeStorage } from '../api/account-texts.ts'
import { thumbnailAddress, tileThumbnailSize } from '../api/call-address.ts'
import type { EarlyResponses } from '../api/early-responses.ts'
import { fillTiles } from './fill-tiles.ts'
import type { Classes } from './render-first-look.tsx'
import { type Screen, screens } from './screens.ts'

/** If the program is loaded sooner, nothing is drawn before it. In milliseconds. */
const FRAME_DELAY = 150
/** If the list is loaded sooner, it is drawn together with its frame. In milliseconds. */
const LIST_DELAY = 500

/**
 * SURPRISE: a second, small program draws the first screen of the files before the real one is there
 * (docs/decisions/023-first-look.md).
 * Measured on a slow line: the first paint of the files after 920 ms instead of 3,144, the largest after 1,288 instead
 * of 3,448.
 * Remove it when: the program itself is drawn within 1.5 s on such a line.
 *
 * Draws the root of the drive before the program is loaded: first the frame, then the tiles in view as soon as there is a
 * response to the list request of `public/before-paint.js`. It looks like the page but is inert. The program's first
 * rendering removes it (`app/App.tsx`).
 */
function standIn(host: HTMLElement, early: EarlyResponses): void {
  const classes = JSON.parse(host.dataset.classes ?? '{}') as Classes
  const storage = read<OutputOf<typeof getStorage>>('/api/storage')
  const list = read<OutputOf<typeof listItems>>('/api/items?')
  setTimeout(async () => {
    // If the tiles come with the frame, the layout doesn't move for them or for a scroll bar.
    await Promise.race([list, new Promise((resolve) => setTimeout(resolve, LIST_DELAY))])
    if (isProgramThere() || !host.isConnected) return
    showFrame(host, classes)
    void list.then((answer) => answer && fill(answer))
    void storage.then((answer) => answer && writeStorage(host, classes, answer))
  }, FRAME_DELAY)

  /** Reads the response to an early request; undefined if it failed, which the program reports. */
  async function read<T>(start: string): Promise<T | undefined> {
    const [, response] = [...early.responses].find(([address]) => address.startsWith(start)) ?? []
    const answer = await response?.catch(() => undefined)
    if (!answer?.ok || answer.bodyUsed) return undefined
    return answer
      .clone()
      .json()
      .catch(() => undefined)
  }

  function fill(list: OutputOf<typeof listItems>): void {
    const body = host.querySelector<HTMLElement>('[role=rowgroup]')
    if (body && host.isConnected) fillTiles(body, list, { classes, make, loadPicture })
  }

  function make(name: string): HTMLElement {
    return template(host, name).content.firstElementChild?.cloneNode(true) as HTMLElement
  }

  /** The program uses the same response. */
  async function loadPicture(file: File): Promise<string | undefined> {
    const address = thumbnailAddress(file, tileThumbnailSize())
    const response = fetch(address, { headers: { authorization: `Bearer ${early.token}` } })
    early.responses.set(address, response)
    const answer = await response.catch(() => undefined)
    if (!answer?.ok || answer.bodyUsed) return undefined
    return URL.createObjectURL(await answer.clone().blob())
  }
}

function isProgramThere(): boolean {
  const fetched = new Set(performance.getEntriesByType('resource').map(({ name }) => name))
  const scripts = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')
  return [...scripts].every(({ href }) => fetched.has(href))
}

function showFrame(host: HTMLElement, classes: Classes): void {
  const names = Object.keys(screens) as Screen[]
  const screen = names.find((name) => matchMedia(screens[name]).matches) ?? 'middle'
  host.append(template(host, screen).content.cloneNode(true))
  const { email = '', planName = FREE_PLAN.planName } = localStorage as Partial<Record<string, string>>
  writeAccount(host, classes, email, planName)
  writeStorage(host, classes)
  host.hidden = false
}

function writeAccount(host: HTMLElement, classes: Classes, email: string, planName: string): void {
  const [name = '', domain] = email.split('@')
  const [line, plan] = [classes.email, classes.plan].map((className) => host.querySelector(`.${className}`))
  line?.replaceChildren(name, document.createElement('wbr'), domain === undefined ? '' : `@${domain}`)
  // For the free plan, the server has written its size into the page.
  if (isPaidPlan(planName)) plan?.replaceChildren(planName)
  for (const avatar of host.querySelectorAll<HTMLElement>('[data-initial]'))
    avatar.dataset.initial = email.charAt(0).toUpperCase() || '·'
  const hidden = isPaidPlan(planName) ? [] : (host.dataset.paidPlaces?.split(' ') ?? [])
  for (const place of planName === NO_PLAN_NAME ? ['/subscriptions'] : hidden)
    host.querySelector(`nav a[href="${place}"]`)?.closest('li')?.remove()
}

function writeStorage(host: HTMLElement, classes: Classes, storage?: OutputOf<typeof getStorage>): void {
  const section = host.querySelector(`.${classes.storage}`)
  const { usage, text, barWidth, level } = describeStorage(storage)
  const isStrip = section?.getAttribute('data-look') === 'strip'
  section?.querySelector(`.${classes.percent}`)?.replaceChildren(usage)
  section?.querySelector(`.${classes.storageText}`)?.replaceChildren(isStrip ? `${text} · ${usage}` : text)
  const track = section?.querySelector<HTMLElement>(`.${classes.track}`)
  const bar = section?.querySelector<HTMLElement>(`.${classes.bar}`)
  if (level && track) track.dataset.level = level
  if (!bar) return
  bar.hidden = barWidth === undefined
  bar.style.width = barWidth ?? '0'
}

function template(host: HTMLElement, name: string): HTMLTemplateElement {
  return host.querySelector(`template[data-name="${name}"]`) as HTMLTemplateElement
}

/**
 * Returns whether the page is the top of the root folder, as tiles, without details or a player. Only the program can
 * draw anything else. A reload restores the scroll position, so it isn't plain.
 */
function isPlain(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type !== 'navigate') return false
  const { fileView, detailsOpen, player } = localStorage as Partial<Record<string, string>>
  return location.search === '' && fileView !== 'list' && detailsOpen === undefined && player === undefined
}

const host = document.getElementById('first-look')
if (host && window.alcoveEarly && isPlain()) standIn(host, window.alcoveEarly)
