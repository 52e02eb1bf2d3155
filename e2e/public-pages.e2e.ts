import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** What each prerendered page says before any script has run. */
const HEADINGS = {
  '/': 'A quiet room for everything you keep.',
  '/landing-page': 'A quiet room for everything you keep.',
  '/login': 'Welcome back',
  '/register': 'Make your room',
  '/forgot-password': 'Forgot your password?',
  '/terms-of-service': 'Terms of Service',
  '/privacy-policy': 'Privacy Policy',
}
const PRERENDERED = Object.keys(HEADINGS)

/** Until `release` is called the page stays as the server sent it. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  for (const [path, heading] of Object.entries(HEADINGS)) {
    test(`${path} shows its heading and its styles`, async ({ page }) => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-family', /Young Serif/)
    })
  }
})

test('nothing but the small script for the color scheme holds up the first paint of a prerendered page', async ({
  page,
  product,
}) => {
  for (const path of PRERENDERED) {
    const html = await (await page.request.get(path, { headers: { accept: 'text/html' } })).text()
    const head = html.slice(0, html.indexOf('</head>'))
    expect(head.match(/<link rel="stylesheet"[^>]*>/g), path).toBeNull()
    expect(head.match(/<script[^>]*>/g), path).toEqual(['<script src="/before-paint.js">'])
    expect(html, path).not.toMatch(/%alcove-[a-z-]+%/)
  }
  const landing = await (await page.request.get('/', { headers: { accept: 'text/html' } })).text()
  expect(landing).toContain(`href="mailto:${product.services.config.supportEmail}"`)
})

test('prerendered pages are hydrated without a mismatch, whoever opens them and in either scheme', async ({
  page,
  product,
}) => {
  const { token } = await product.createUser()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  for (const [scheme, session] of [
    ['light', undefined],
    ['dark', undefined],
    ['dark', token],
  ] as const) {
    await page.goto('/favicon.svg')
    await page.evaluate(
      ([stored, signedIn]) => {
        localStorage.clear()
        localStorage.setItem('mantine-color-scheme-value', stored as string)
        if (signedIn) localStorage.setItem('token', signedIn)
      },
      [scheme, session],
    )
    for (const path of [...PRERENDERED, '/login?redirect=payment']) {
      await page.goto(path)
      await expect(page.locator('[data-waiting]')).toHaveCount(0)
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme)
    }
  }
  expect(complaints).toEqual([])
})

test('the program takes over the elements that the server sent', async ({ page }) => {
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading.setAttribute('data-sent', ''))
  release()
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  await expect(page.locator('h1[data-sent]')).toBeVisible()
})

test('the stored scheme applies before the program runs, and what needs the program does not show yet', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('mantine-color-scheme-value', 'dark'))
  const release = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(10, 17, 15)')
  await expect(page.locator('input[autocomplete="username"]')).toBeHidden()
  release()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('whoever is signed in sees neither the links nor the register page of visitors, not even at first', async ({
  page,
  user,
}) => {
  expect(user.token).toBeTruthy()
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const header = page.getByRole('banner')
  await expect(header.getByText('Sign In')).toBeHidden()
  await page.goto('/register', { waitUntil: 'commit' })
  await expect(page.locator('h1')).toBeHidden()
  release()
  await expect(page).toHaveURL('/')
  await expect(header.getByRole('link', { name: 'Profile' })).toBeVisible()
  await expect(header.getByRole('button', { name: 'Sign Out' })).toBeVisible()
})

test('no public page scrolls sideways in any window', async ({ page }) => {
  for (const path of [...PRERENDERED, '/activate?token=x', '/reset-password?token=x', '/goodbye']) {
    await page.goto(path)
    await expect(page.locator('h1')).toBeVisible()
    await expect(page.locator('[data-waiting]')).toHaveCount(0)
    for (let width = 320; width <= 1920; width += 40) {
      await page.setViewportSize({ width, height: 800 })
      const beyond = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return scrollWidth - clientWidth
      })
      expect(beyond, `${path} at ${width} px`).toBeLessThanOrEqual(0)
    }
  }
})
