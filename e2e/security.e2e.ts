import { createFolder } from '@alcove/contract/files'
import { updatePublicLink } from '@alcove/contract/sharing'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { makePng, makeWav } from './sample-files.ts'
import { tileOf } from './users.ts'

const SCREENS = [
  ...['/', '/register', '/login', '/forgot-password', '/terms-of-service', '/privacy-policy'],
  ...['/profile', '/favorites', '/trash', '/account', '/subscriptions', '/vault', '/music', '/video'],
  ...['/api/docs/', '/outbox', '/login/flow/unknown'],
]

/** Markup that sets `window.attacked` if it ever runs. */
const ATTACK = '<img src=x onerror="window.attacked=1">'
const EVIL_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="parent.attacked=1"><script>
  parent.attacked = 1; top.attacked = 1; fetch('/api/storage')</script><rect width="40" height="40" fill="red"/></svg>`
const EVIL_PAGE = `<!doctype html><script>window.attacked = 1; document.title = localStorage.token</script>${ATTACK}`

interface Watched {
  violations: string[]
  attacked?: number
}

/** Records all violations of a page's content security policy from the start. */
async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watched = window as unknown as Watched
    watched.violations = []
    document.addEventListener('securitypolicyviolation', (event) => {
      watched.violations.push(
        `${event.violatedDirective}: ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`,
      )
    })
  })
}

const read = (page: Page) =>
  page.evaluate(() => {
    const { violations, attacked } = window as unknown as Watched
    return { violations, attacked }
  })

const previewOf = (page: Page, name: string) => page.getByRole('dialog', { name: `Preview of ${name}` })

/** Waits until the preview shows its picture or text. Any script in it would have run by then. */
async function expectShown(page: Page, name: string): Promise<void> {
  const preview = previewOf(page, name)
  const picture = preview.getByRole('img', { name })
  const text = preview.getByText(/attacked/)
  await expect(picture.or(text).first()).toBeVisible()
}

test('no screen violates its content security policy', async ({ page, paidUser }) => {
  // Visits every screen, one after the other.
  test.setTimeout(120_000)
  await paidUser.client.upload('a.png', makePng(80, 50, [80, 120, 90]))
  await paidUser.client.upload('a.wav', makeWav(1))
  await watch(page)
  for (const screen of SCREENS) {
    const response = await page.goto(screen)
    expect(response?.headers()['content-security-policy']).toContain("script-src 'self';")
    await expect(page.getByRole('heading').first()).toBeVisible()
    expect((await read(page)).violations, screen).toEqual([])
  }
})

test('never runs markup in file names or contents, for the owner or for link visitors', async ({
  page,
  user,
  browser,
  product,
}) => {
  const { body: folder } = await user.client.call(createFolder, { folderName: ATTACK.replaceAll('/', '') })
  const names = [`${ATTACK}.txt`, 'evil.svg', 'evil.html', 'evil.md']
  const contents = [EVIL_PAGE, EVIL_SVG, EVIL_PAGE, `# x\n${ATTACK}\n[a](javascript:window.attacked=1)`]
  for (const [index, name] of names.entries()) {
    await user.client.upload(name, contents[index] as string, { folderId: folder.id })
  }
  await user.client.upload('evil.js', 'window.attacked = 1', { folderId: folder.id })
  await watch(page)
  await page.goto('/profile')
  await tileOf(page, folder.name).dblclick()
  for (const name of names) {
    await tileOf(page, name).dblclick()
    await expectShown(page, name)
    expect((await read(page)).attacked, name).toBeUndefined()
    await page.keyboard.press('Escape')
    await expect(previewOf(page, name)).toBeHidden()
  }

  const { link } = (await user.client.call(updatePublicLink, { id: folder.id, enabled: true })).body
  const visitor = await (await browser.newContext()).newPage()
  await watch(visitor)
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: folder.name })).toBeVisible()
  for (const name of names.slice(1)) {
    await visitor.getByText(name, { exact: true }).first().click()
    await expectShown(visitor, name)
    expect((await read(visitor)).attacked, name).toBeUndefined()
    await visitor.keyboard.press('Escape')
    await expect(previewOf(visitor, name)).toBeHidden()
  }

  // Opening the URL of an SVG with a script downloads it instead of showing it as a page of this origin.
  const token = new URL(link).pathname.split('/').at(-1)
  const { files } = (await (await visitor.request.get(`${product.url}/api/public/${token}`)).json()) as {
    files: { id: string; name: string }[]
  }
  const contentUrlOf = (fileName: string) =>
    `/api/public/${token}/content?id=${files.find(({ name }) => name === fileName)?.id}`
  await visitor.goto(`${product.url}/`)
  const saving = visitor.waitForEvent('download')
  await visitor.goto(product.url + contentUrlOf('evil.svg')).catch(() => undefined)
  expect((await saving).suggestedFilename()).toBe('evil.svg')
  // An image element still shows it.
  const shownWidth = await visitor.evaluate(async (source) => {
    const picture = new Image()
    picture.src = source
    await picture.decode()
    return picture.naturalWidth
  }, contentUrlOf('evil.svg'))
  expect(shownWidth).toBe(40)
  // A page can't load a user's script, although the policy allows scripts from this origin.
  const outcome = await visitor.evaluate(
    (source) =>
      new Promise((resolve) => {
        const script = document.createElement('script')
        script.onload = () => resolve('ran')
        script.onerror = () => resolve('refused')
        script.src = source
        document.head.append(script)
      }),
    contentUrlOf('evil.js'),
  )
  expect(outcome).toBe('refused')
  expect((await read(visitor)).attacked).toBeUndefined()
})
