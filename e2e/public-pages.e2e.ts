import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

/** The heading that each prerendered page shows before any script has run. */
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

/** Holds all scripts of the page until the returned function is called. */
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

test('blocks the first paint of prerendered pages only with the small color scheme script', async ({
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

test('hydrates prerendered pages without errors in both color schemes, signed in or not', async ({ page, product }) => {
  const { token } = await product.createUser()
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
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
  expect(errors).toEqual([])
})

test('hydrates the elements that the server sent instead of replacing them', async ({ page }) => {
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('heading', { level: 1 }).evaluate((heading) => heading.setAttribute('data-sent', ''))
  release()
  await expect(page.locator('[data-waiting]')).toHaveCount(0)
  await expect(page.locator('h1[data-sent]')).toBeVisible()
})

test('applies the stored color scheme before the app runs, and hides the form until then', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('mantine-color-scheme-value', 'dark'))
  const release = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(10, 17, 15)')
  await expect(page.locator('input[autocomplete="username"]')).toBeHidden()
  release()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test('hides visitor links and the register page from signed-in users before the app runs', async ({ page, user }) => {
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

for (const path of [...PRERENDERED, '/activate?token=x', '/reset-password?token=x', '/goodbye']) {
  test(`${path} does not scroll sideways at any width from 320 to 1920 px`, async ({ page }) => {
    await page.goto(path)
    await expect(page.locator('h1')).toBeVisible()
    await expect(page.locator('[data-waiting]')).toHaveCount(0)
    for (let width = 320; width <= 1920; width += 40) {
      await page.setViewportSize({ width, height: 800 })
      const overflow = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement
        return scrollWidth - clientWidth
      })
      expect(overflow, `${width} px`).toBeLessThanOrEqual(0)
    }
  })
}
