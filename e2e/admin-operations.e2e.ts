import { addFailedJob } from './failed-job.ts'
import { expect, expectAccessible, signInAs, siteTest as test } from './fixtures.ts'

test('an administrator sees what needs attention, tries a failed job again and runs the checks', async ({
  page,
  site: product,
}) => {
  const admin = await product.createUser({ isAdmin: true })
  await addFailedJob(product)
  await signInAs(page, admin)
  await page.goto('/admin')
  const problems = page.getByRole('list', { name: 'Problems' })
  await expect(problems.getByText('1 job was given up after many attempts.')).toBeVisible()
  await expectAccessible(page)

  await problems.getByRole('link', { name: 'Jobs' }).click()
  const jobs = page.getByRole('list', { name: 'Jobs' })
  await expect(jobs.getByText('the disk was away')).toBeVisible()
  await expectAccessible(page)
  await jobs.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No job has failed.')).toBeVisible()

  const navigation = page.getByRole('navigation', { name: 'Admin' })
  await navigation.getByRole('link', { name: 'Checks' }).click()
  const checks = page.getByRole('list', { name: 'Checks' })
  await expect(checks.getByText(`This server answers at ${product.url}.`)).toBeVisible()
  await page.getByRole('button', { name: 'Run again' }).click()
  await checks.getByRole('button', { name: 'Send a test mail' }).click()
  await expect(page.getByText('so the mail is in the outbox')).toBeVisible()
  await expectAccessible(page)

  await page.setViewportSize({ width: 360, height: 740 })
  for (const name of ['Storage', 'Jobs', 'Backups', 'Checks', 'Overview']) {
    await navigation.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name, exact: true, level: 2 })).toBeVisible()
    await expect(page.getByText('Loading...')).toHaveCount(0)
    await expectAccessible(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  }
})
