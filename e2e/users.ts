import { expect, type FileChooser, type Locator, type Page } from '@playwright/test'

/** Moves the mouse to an element in small steps, as a person does, and pauses there. */
async function moveMouseTo(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('The target is not visible.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x - 160, y - 90)
  for (let step = 1; step <= 16; step++) await page.mouse.move(x - 160 + step * 10, y - 90 + step * 5.625 + (step % 3))
  await page.mouse.move(x, y)
  await page.waitForTimeout(200)
}

/** Passes the robot check with the mouse, as a person does. */
export async function passRobotCheck(page: Page): Promise<void> {
  const box = page.getByRole('checkbox', { name: 'I am not a robot' })
  await moveMouseTo(page, box)
  await page.mouse.down()
  await page.mouse.up()
  await expect(box).toBeChecked()
}

export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await passRobotCheck(page)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Drags one element onto another with the mouse, slowly enough for the drop target to react. */
export async function drag(page: Page, source: Locator, target: Locator): Promise<void> {
  // The code for dragging loads after the first paint.
  await page.locator('[draggable="true"]').first().waitFor()
  const [from, to] = [await source.boundingBox(), await target.boundingBox()]
  if (!from || !to) throw new Error('The source or the target is not visible.')
  // Hovering waits until a closing dialog no longer covers the element.
  await source.hover({ position: { x: from.width / 2, y: 20 } })
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 8, from.y + 28, { steps: 4 })
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 })
  await page.waitForTimeout(150)
  await page.mouse.up()
}

/**
 * Runs an action and waits until the page shows a text. The check starts before the action and runs inside the page: a
 * toast disappears after some seconds, and a check from outside may come too late while many bytes are transferred.
 */
export async function waitForText(page: Page, text: string, action: () => Promise<unknown>): Promise<void> {
  const isShown = (expected: string) => document.body.innerText.includes(expected)
  const shown = page.waitForFunction(isShown, text, { polling: 100, timeout: 300_000 })
  // If the action fails, its error is the one to report.
  shown.catch(() => {})
  await action()
  await shown
}

/** Returns the tile of a folder or file. */
export function tileOf(page: Page, name: string): Locator {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return page.getByRole('gridcell', { name: new RegExp(`^${escaped}, `) })
}

/** Shows a folder's items as a grid or a list. The page changes the view a moment after the click. */
export async function chooseView(page: Page, view: 'Grid' | 'List'): Promise<void> {
  await page.getByRole('radiogroup', { name: 'View' }).locator('label').filter({ hasText: view }).click()
  await page.mouse.move(0, 0)
  await expect(page.getByRole('columnheader', { name: 'Name' })).toBeVisible({ visible: view === 'List' })
}

/** Clicks a button that opens a file chooser, and chooses files or a folder. */
export async function choose(
  page: Page,
  button: string | RegExp,
  files: Parameters<FileChooser['setFiles']>[0],
): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).first().click()
  await (await choosing).setFiles(files)
}
