import { expect, type FileChooser, type Locator, type Page } from '@playwright/test'

/** Moves the mouse to a thing as a hand does, in steps, and rests there a moment. */
async function glideTo(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox()
  if (!box) throw new Error('there is nothing to move to')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x - 160, y - 90)
  for (let step = 1; step <= 16; step++) await page.mouse.move(x - 160 + step * 10, y - 90 + step * 5.625 + (step % 3))
  await page.mouse.move(x, y)
  await page.waitForTimeout(200)
}

/** Passes the robot check with the mouse, as a person. */
export async function passRobotCheck(page: Page): Promise<void> {
  const box = page.getByRole('checkbox', { name: 'I am not a robot' })
  await glideTo(page, box)
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

/** Drags one thing onto another with the mouse, slowly enough for what lies below to notice. */
export async function drag(page: Page, source: Locator, target: Locator): Promise<void> {
  // Dragging is fetched when the page has been painted.
  await page.locator('[draggable="true"]').first().waitFor()
  const [from, to] = [await source.boundingBox(), await target.boundingBox()]
  if (!from || !to) throw new Error('there is nothing to drag')
  // It waits for a dialog that fades, which would be dragged at instead.
  await source.hover({ position: { x: from.width / 2, y: 20 } })
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2 + 8, from.y + 28, { steps: 4 })
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 })
  await page.waitForTimeout(150)
  await page.mouse.up()
}

/**
 * Does something and waits until the page has said so. Looks from within the page, from before: a toast is gone after some
 * seconds, and while many bytes pass through here a look from outside may come later than that.
 */
export async function untilTold(page: Page, words: string, act: () => Promise<unknown>): Promise<void> {
  const isTold = (text: string) => document.body.innerText.includes(text)
  const told = page.waitForFunction(isTold, words, { polling: 100, timeout: 300_000 })
  // A failure of what is done is what counts.
  told.catch(() => {})
  await act()
  await told
}

/** The tile of a folder or file in the drive. */
export function tileOf(page: Page, name: string): Locator {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return page.getByRole('gridcell', { name: new RegExp(`^${escaped}, `) })
}

/** Presses a button that asks for files or a folder, and chooses. */
export async function choose(
  page: Page,
  button: string | RegExp,
  files: Parameters<FileChooser['setFiles']>[0],
): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).first().click()
  await (await choosing).setFiles(files)
}
