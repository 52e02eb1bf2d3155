import { createFolder } from '@alcove/contract/files'
import { updatePublicLink } from '@alcove/contract/sharing'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { makePng, makeWav } from './sample-files.ts'
import { tileOf } from './users.ts'

const SCREENS = [
  ...['/', '/register', '/login', '/forgot-password', '/terms-of-service', '/privacy-policy'],
  ...['/profile', '/favorites', '/trash', '/account', '/subscriptions', '/vault', '/music', '/video'],
  ...['/api/docs/', '/outbox'],
]

/** Markup that says so if anything ever runs it. */
const ATTACK = '<img src=x onerror="window.attacked=1">'
const EVIL_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="parent.attacked=1"><script>
  parent.attacked = 1; top.attacked = 1; fetch('/api/storage')</script><rect width="40" height="40" fill="red"/></svg>`
const EVIL_PAGE = `<!doctype html><script>window.attacked = 1; document.title = localStorage.token</script>${ATTACK}`

interface Watched {
  violations: string[]
  attacked?: number
}

/** Notes what a page's policy has stopped, from the first moment on. */
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

/** The preview of a file has come to where its content is seen, a picture or a text: what could run has run. */
async function expectShown(page: Page, name: string): Promise<void> {
  const preview = previewOf(page, name)
  const picture = preview.getByRole('img', { name })
  const text = preview.getByText(/attacked/)
  await expect(picture.or(text).first()).toBeVisible()
}

test('no screen needs what its policy forbids', async ({ page, paidUser }) => {
  // Every screen there is, one after the other.
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

test('names and files that are markup run nowhere, for their owner and for whoever has the link', async ({
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

  // Opened by its address, a picture with a script in it is saved, and a page of ours it never is.
  const token = new URL(link).pathname.split('/').at(-1)
  const { files } = (await (await visitor.request.get(`${product.url}/api/public/${token}`)).json()) as {
    files: { id: string; name: string }[]
  }
  const addressOf = (called: string) =>
    `/api/public/${token}/content?id=${files.find(({ name }) => name === called)?.id}`
  await visitor.goto(`${product.url}/`)
  const saving = visitor.waitForEvent('download')
  await visitor.goto(product.url + addressOf('evil.svg')).catch(() => undefined)
  expect((await saving).suggestedFilename()).toBe('evil.svg')
  // As a picture in a page it is still seen.
  const isSeen = await visitor.evaluate(async (source) => {
    const picture = new Image()
    picture.src = source
    await picture.decode()
    return picture.naturalWidth
  }, addressOf('evil.svg'))
  expect(isSeen).toBe(40)
  // Nor is a script of a user one of ours, which a page may load from this origin.
  const outcome = await visitor.evaluate(
    (source) =>
      new Promise((resolve) => {
        const script = document.createElement('script')
        script.onload = () => resolve('ran')
        script.onerror = () => resolve('refused')
        script.src = source
        document.head.append(script)
      }),
    addressOf('evil.js'),
  )
  expect(outcome).toBe('refused')
  expect((await read(visitor)).attacked).toBeUndefined()
})
