import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runTestCommand } from '@alcove/server/testing/clients/operator'
import { OIDC_CLIENT, startOidcProvider } from '@alcove/server/testing/engines/oidc-engine'
import { readSetupUrl } from '@alcove/server/testing/factories/administrators'
import { TEST_PASSWORD } from '@alcove/server/testing/factories/users'
import { expect, siteTest as test } from './fixtures.ts'
import { smallJpeg } from './sample-files.ts'

const FOLDERS = 20
const PHOTOS_IN_EACH = 500

/** Writes a folder of many photos, as it comes from an old disk. */
async function writePhotos(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'alcove-photos-'))
  for (let year = 0; year < FOLDERS; year++) {
    const place = join(folder, `Photos from ${2004 + year}`)
    await mkdir(place)
    const write = (index: number) => writeFile(join(place, `IMG_${index}.jpg`), smallJpeg)
    await Promise.all(Array.from({ length: PHOTOS_IN_EACH }, (_, index) => write(index)))
  }
  return folder
}

test('a newcomer sets up a closed family server with three members, without prices, and with single sign-on', async ({
  page,
  site,
  browser,
}) => {
  test.setTimeout(180_000)
  const provider = await startOidcProvider(site.url, { name: 'family' })
  const family = ['ada', 'bo', 'cleo']
  await page.goto(await readSetupUrl(site))
  await page.getByLabel('Email').fill('mara@example.com')
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.getByLabel('Confirm Password').fill(TEST_PASSWORD)
  await page.getByRole('button', { name: 'Create the administrator' }).click()
  const sections = page.getByRole('navigation', { name: 'Admin' })

  await sections.getByRole('link', { name: 'Plans' }).click()
  await page.getByRole('switch', { name: 'Offer plans' }).click({ force: true })
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Switch off' }).click()
  await reloaded

  await sections.getByRole('link', { name: 'Sign-up' }).click()
  await expect(page.getByRole('link', { name: 'Subscriptions' })).toHaveCount(0)
  await page.getByRole('radio', { name: 'Closed' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved.')).toBeVisible()
  for (const name of family) {
    await page.getByLabel('Email').fill(`${name}@example.com`)
    await page.getByRole('button', { name: 'Invite' }).click()
    await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText(`${name}@example.com`)
  }

  await sections.getByRole('link', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Add a provider' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('Family')
  await dialog.getByLabel('Issuer').fill(provider.issuer)
  await dialog.getByLabel('Client ID').fill(OIDC_CLIENT.id)
  await dialog.getByLabel('Client secret').fill(OIDC_CLIENT.secret)
  await dialog.getByLabel('Who gets an account').selectOption('invited')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const providers = page.getByRole('list', { name: 'Providers' })
  await providers.getByRole('button', { name: 'Test' }).click()
  await expect(providers.getByText('Family can be reached and accepts this server.')).toBeVisible()

  for (const name of [...family, 'stranger']) {
    provider.setPerson(name, { email: `${name}@example.com`, email_verified: true })
    const context = await browser.newContext({ baseURL: site.url })
    const member = await context.newPage()
    await member.goto('/login')
    await member.getByRole('button', { name: 'Continue with Family' }).click()
    await member.getByRole('textbox', { name: 'Name' }).fill(name)
    await member.getByRole('button', { name: 'Continue' }).click()
    if (name === 'stranger') {
      await expect(member.getByRole('link', { name: 'Back to the sign-in page' })).toBeVisible()
    } else {
      await member.waitForURL(/\/profile/)
      await expect(member.getByRole('link', { name: 'Vault' }).first()).toBeVisible()
      await expect(member.getByRole('link', { name: 'Subscriptions' })).toHaveCount(0)
    }
    await context.close()
  }

  const photos = await writePhotos()
  const imported = await runTestCommand(site.services.config, site.clock, 'import', 'ada@example.com', photos)
  expect(imported.errors.join('\n') + imported.printed.join('\n')).toContain('10,000')
  expect(imported.code).toBe(0)
  await rm(photos, { recursive: true })

  await sections.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('searchbox').fill('ada@')
  await expect(page.getByText('ada@example.com').first()).toBeVisible()
  await sections.getByRole('link', { name: 'Checks' }).click()
  const checks = page.getByRole('list', { name: 'Checks' })
  await expect(checks.getByText(`This server answers at ${site.url}.`)).toBeVisible()
  await provider.stop()
})
