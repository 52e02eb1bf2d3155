import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Locator, Page } from '@playwright/test'
import { tone } from './sounds.ts'

export const names = ['Aurora.wav', 'Blue tiles.wav', 'Fado at Mesa de Frades.wav', 'Night bus, 10.wav']

/** Uploads four tracks and returns their ids in order. */
export async function storeMusic(user: TestUser, seconds = 30): Promise<string[]> {
  const ids: string[] = []
  for (const [index, name] of names.entries()) {
    ids.push((await user.client.upload(name, tone(seconds, 300 + 50 * index))).id)
  }
  return ids
}

export const player = (page: Page) => page.getByRole('region', { name: 'Player' })
export const queue = (page: Page) => page.getByRole('list', { name: 'Queue' })
export const queued = (page: Page) =>
  queue(page)
    .getByRole('listitem')
    .evaluateAll((rows) =>
      rows
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => row.querySelector('bdi')?.title),
    )
export const seconds = async (container: Locator) =>
  Number(
    (
      await container
        .getByText(/^\d+:\d\d$/)
        .first()
        .innerText()
    ).split(':')[1],
  )
export const track = (page: Page, name: string) =>
  page.getByRole('list', { name: 'All Tracks' }).getByRole('group', { name })
export const bar = (page: Page) => page.locator('section[aria-label="Now playing"]')

/** Records the audio elements of the page and its handlers for media keys. */
export async function recordPlayer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const recorded = { audios: [] as HTMLAudioElement[], keys: new Map<string, (details: object) => void>() }
    Object.assign(window, { recorded })
    const Original = window.Audio
    window.Audio = class extends Original {
      constructor() {
        super()
        recorded.audios.push(this)
      }
    }
    const set = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession)
    navigator.mediaSession.setActionHandler = (action, handler) => {
      recorded.keys.set(action, handler as (details: object) => void)
      set(action, handler)
    }
  })
}

interface Recorded {
  readonly recorded: { readonly audios: HTMLAudioElement[]; readonly keys: Map<string, (details: object) => void> }
}
export const playback = (page: Page) =>
  page.evaluate(() => {
    const audio = (window as unknown as Recorded).recorded.audios.find(({ paused }) => !paused)
    return audio && { speed: audio.playbackRate, volume: audio.volume, isMuted: audio.muted, time: audio.currentTime }
  })
export const pressMediaKey = (page: Page, key: string, details = {}) =>
  page.evaluate(([name, given]) => (window as unknown as Recorded).recorded.keys.get(name)?.(given), [
    key,
    details,
  ] as const)

/** Returns the number of elements that play. */
export const sounding = (page: Page) =>
  page.evaluate(() => {
    const { audios } = (window as unknown as Recorded).recorded
    const elements = new Set([...audios, ...document.querySelectorAll<HTMLMediaElement>('audio, video')])
    return [...elements].filter(({ paused }) => !paused).length
  })
