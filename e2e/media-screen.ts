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
