import { renameFile } from '@alcove/contract/files'
import { updatePublicLink } from '@alcove/contract/sharing'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Browser, Locator, Page } from '@playwright/test'
import { expect, type Product, test } from './fixtures.ts'
import { makePdf, makePng, makeWav } from './sample-files.ts'
import { text, tray } from './uploading.ts'
import { choose, tileOf } from './users.ts'

const previewOf = (page: Page, name: string): Locator => page.getByRole('dialog', { name: `Preview of ${name}` })

async function openPreview(page: Page, name: string): Promise<Locator> {
  const preview = previewOf(page, name)
  await expect(async () => {
    if (await preview.isHidden()) await tileOf(page, name).dblclick({ timeout: 1000 })
    await expect(preview).toBeVisible({ timeout: 2000 })
  }).toPass()
  return preview
}

async function closePreview(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

interface Replacing {
  readonly product: Product
  readonly user: TestUser
}

/** Gives a file other bytes, as from another device. The clock of the tests stands still otherwise. */
async function replace(
  { product, user }: Replacing,
  name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  product.clock.advance(1000)
  await user.client.upload(name, bytes, { onConflict: 'replace' })
}

const widthOf = (picture: Locator) => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)

async function openLink(browser: Browser, user: TestUser, id: string): Promise<Page> {
  const { link } = (await user.client.call(updatePublicLink, { id, enabled: true })).body
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(link)
  return visitor
}

test('shows the new content of files that the user has replaced after a look at them', async ({
  page,
  user,
  product,
}) => {
  await user.client.upload('letter.txt', 'Dear all, yes.')
  await user.client.upload('plan.pdf', makePdf(['Old']))
  await user.client.upload('photo.png', makePng(400, 300, [200, 10, 10]))
  await page.goto('/profile')
  await expect((await openPreview(page, 'letter.txt')).getByText('Dear all, yes.')).toBeVisible()
  await closePreview(page)
  await expect((await openPreview(page, 'plan.pdf')).getByText('Old', { exact: true })).toBeVisible()
  await closePreview(page)
  const picture = page.getByRole('img', { name: 'photo.png' })
  await openPreview(page, 'photo.png')
  await expect.poll(() => widthOf(picture)).toBe(400)
  await closePreview(page)

  product.clock.advance(1000)
  await choose(page, 'Upload File', [
    text('letter.txt', 'Dear all, yes. But only if everyone agrees.'),
    { name: 'plan.pdf', mimeType: 'application/pdf', buffer: makePdf(['New', 'Next']) },
    { name: 'photo.png', mimeType: 'image/png', buffer: makePng(600, 300, [10, 10, 200]) },
  ])
  await tray(page).getByRole('checkbox', { name: 'Do this for all 3' }).first().check()
  await tray(page).getByRole('button', { name: 'Replace' }).first().click()
  await expect(tray(page).getByRole('button', { name: 'Replace' })).toHaveCount(0)

  await expect(
    (await openPreview(page, 'letter.txt')).getByText('Dear all, yes. But only if everyone agrees.'),
  ).toBeVisible()
  await closePreview(page)
  await expect((await openPreview(page, 'plan.pdf')).getByText('New', { exact: true })).toBeVisible()
  await closePreview(page)
  await openPreview(page, 'photo.png')
  await expect.poll(() => widthOf(picture)).toBe(600)
})

test('follows a file that is replaced while it is shown', async ({ page, user, product }) => {
  const replacing = { user, product }
  await user.client.upload('log.txt', 'line 1\n')
  await user.client.upload('plan.pdf', makePdf(['Old']))
  await user.client.upload('photo.png', makePng(400, 300, [200, 10, 10]))
  await page.goto('/profile')
  const log = await openPreview(page, 'log.txt')
  await expect(log.getByText('line 1')).toBeVisible()
  await replace(replacing, 'log.txt', 'line 1\nline 2\n')
  await expect(log.getByText('line 2')).toBeVisible()
  await closePreview(page)
  const plan = await openPreview(page, 'plan.pdf')
  await expect(plan.getByText('Old', { exact: true })).toBeVisible()
  await replace(replacing, 'plan.pdf', makePdf(['New', 'Next']))
  await expect(plan.getByText('New', { exact: true })).toBeVisible()
  await closePreview(page)
  await openPreview(page, 'photo.png')
  const picture = page.getByRole('img', { name: 'photo.png' })
  await expect.poll(() => widthOf(picture)).toBe(400)
  await replace(replacing, 'photo.png', makePng(600, 300, [10, 10, 200]))
  await expect.poll(() => widthOf(picture)).toBe(600)
})

test('continues a song that is renamed, and does not start one that replaces it', async ({ page, user, product }) => {
  await user.client.upload('song.wav', makeWav(60))
  await page.goto('/profile')
  await openPreview(page, 'song.wav')
  const timeOf = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)
  await page.locator('audio').evaluate((audio: HTMLAudioElement) => {
    audio.pause()
    audio.currentTime = 30
  })
  product.clock.advance(1000)
  await user.client.call(renameFile, { oldFilename: 'song.wav', newName: 'tune.wav' })
  await expect(previewOf(page, 'tune.wav')).toBeVisible()
  expect(await timeOf()).toBe(30)

  await replace({ user, product }, 'tune.wav', makeWav(20))
  await expect.poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(20)
  expect(await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(true)
})

const letters = ['Yes.', 'Yes. But no.', 'Yes. But no, or so.'] as const
const titles = ['Old', 'New', 'Newest'] as const

for (const { name, texts, contents } of [
  { name: 'letter.txt', texts: letters, contents: letters },
  {
    name: 'plan.pdf',
    texts: titles,
    contents: [makePdf(['Old']), makePdf(['New', 'b']), makePdf(['Newest', 'b', 'c'])],
  },
] as const) {
  test(`shows the new content of ${name} to visitors of a link, also on a page from before`, async ({
    user,
    product,
    browser,
  }) => {
    const { id } = await user.client.upload(name, contents[0])
    const visitor = await openLink(browser, user, id)
    const main = visitor.getByRole('main')
    await expect(main.getByText(texts[0], { exact: true })).toBeVisible()
    await replace({ user, product }, name, contents[1])
    await visitor.reload()
    await expect(main.getByText(texts[1], { exact: true })).toBeVisible()
    await replace({ user, product }, name, contents[2])
    await visitor.getByRole('button', { name: 'View full screen' }).click()
    await expect(previewOf(visitor, name).getByText(texts[2], { exact: true })).toBeVisible()
    await visitor.context().close()
  })
}
