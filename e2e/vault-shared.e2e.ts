import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { updatePublicLink } from '@alcove/contract/sharing'
import type { TestUser } from '@alcove/server/testing/factories/users'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { tileOf } from './users.ts'
import { countPrivateFiles, openEnvelope, PASSPHRASE, passphraseField, seal } from './vaults.ts'

const FAILED = 'Decryption failed. Possibly wrong passphrase.'
/** Large enough to be kept outside memory until it is verified. */
const FILM = randomBytes(33 * 1024 * 1024 + 5)

/** Stores a file in the vault, shares it, and returns the link without a key. */
async function share(user: TestUser, name: string, envelope: Buffer<ArrayBuffer>): Promise<string> {
  const { id } = await user.client.upload(name, envelope, { isEncrypted: 'true' })
  return (await user.client.call(updatePublicLink, { id, enabled: true })).body.link
}

const open = (page: Page) => page.getByRole('button', { name: 'Download & Decrypt' })
const passphrase = (page: Page) => page.getByLabel('Passphrase', { exact: true })

async function save(page: Page): Promise<Buffer> {
  const saving = page.waitForEvent('download', { timeout: 60_000 })
  await open(page).click()
  return readFile(await (await saving).path())
}

test('opens a large shared file with the key in its link, fetches it once and removes it on reload', async ({
  paidUser,
  browser,
}) => {
  test.setTimeout(120_000)
  const envelope = seal(FILM)
  const link = await share(paidUser, 'film.bin', envelope)
  const visitor = await (await browser.newContext()).newPage()
  let fetched = 0
  visitor.on('request', (request) => {
    if (request.url().includes('/content')) fetched += 1
  })
  await visitor.goto(`${link}#key=${openEnvelope(envelope).key.toString('base64url')}`)
  expect((await save(visitor)).equals(FILM)).toBe(true)
  expect(await countPrivateFiles(visitor)).toBe(1)
  const fetchedOnce = fetched
  expect((await save(visitor)).equals(FILM)).toBe(true)
  expect(fetched).toBe(fetchedOnce)
  await visitor.reload()
  await expect(open(visitor)).toBeVisible()
  await expect.poll(() => countPrivateFiles(visitor)).toBe(0)
  await visitor.context().close()
})

test('accepts the passphrase when the key in the link is wrong, truncated or missing', async ({
  paidUser,
  browser,
}) => {
  const notes = Buffer.from('The spare key lies under the third pot.')
  const envelope = seal(notes)
  const link = await share(paidUser, 'notes.bin', envelope)
  const key = openEnvelope(envelope).key.toString('base64url')
  for (const fragment of [`#key=${randomBytes(32).toString('base64url')}`, `#key=${key.slice(0, 20)}`, '#key=', '']) {
    const visitor = await (await browser.newContext()).newPage()
    const saved: unknown[] = []
    visitor.on('download', (download) => saved.push(download))
    await visitor.goto(`${link}${fragment}`)
    await open(visitor).click()
    // Without a key, the message asks for the passphrase instead of reporting a failed decryption.
    const message = fragment.length > 5 ? FAILED : 'Please enter your passphrase.'
    await expect(visitor.getByText(message)).toBeVisible()
    expect(saved).toEqual([])
    await passphrase(visitor).fill(PASSPHRASE)
    expect((await save(visitor)).equals(notes)).toBe(true)
    await visitor.context().close()
  }
})

test('makes a new link with the key after the file was replaced', async ({ page, product, paidUser }) => {
  const former = seal(Buffer.from('first'))
  await share(paidUser, 'notes.txt', former)
  await page.goto('/vault')
  await passphraseField(page).fill(PASSPHRASE)
  const dialog = page.getByRole('dialog', { name: 'Public Link' })
  const expectKeyOf = async (envelope: Buffer) => {
    await tileOf(page, 'notes.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Public Link', exact: true }).click()
    await dialog.getByRole('button', { name: 'Create a Link With the Key' }).click()
    const { key } = openEnvelope(envelope)
    await expect(dialog.getByLabel('Public link with the key')).toHaveValue(
      new RegExp(`#key=${key.toString('base64url')}$`),
    )
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await expectKeyOf(former)
  product.clock.advance(1000)
  const content = 'a longer second content'
  const next = seal(Buffer.from(content))
  await paidUser.client.upload('notes.txt', next, { isEncrypted: 'true', onConflict: 'replace' })
  await expect(tileOf(page, 'notes.txt')).toContainText(`${content.length} B`)
  await expectKeyOf(next)
})
