import { slowDown } from '../browser/slow-device.ts'
import { median } from '../measurements.ts'
import type { Stage } from '../stage.ts'
import { onScreen, type Viewport } from './screen.ts'

const TIMES = 5

/**
 * Returns how long a browser takes for work that doesn't change with ours, in milliseconds, on a processor slowed as for the
 * interactions. It tells how slow the machine is.
 */
export async function timeFixedWork({ dir }: Stage, origin: string, viewport: Viewport): Promise<number> {
  return onScreen(dir, viewport, {}, `${origin}/robots.txt`, async ({ page, rest }) => {
    await rest()
    await slowDown(page)
    const times: number[] = []
    for (let time = 0; time < TIMES; time += 1) times.push(await page.evaluate<number>(`(${work})()`))
    return median(times)
  })
}

/** Runs in the page: sorts names, creates their elements, and lays them out. */
function work(): number {
  const list = document.createElement('div')
  document.body.append(list)
  const start = performance.now()
  for (let round = 0; round < 4; round += 1) {
    const names = Array.from({ length: 600 }, (_, index) => `File ${(index * 7919) % 601} of ${round}`)
    const rows = names.toSorted(Intl.Collator('en', { numeric: true }).compare).map((name) => {
      const row = document.createElement('div')
      row.style.cssText = 'display: grid; grid-template-columns: 1fr auto; padding: 4px; overflow: hidden'
      for (const text of [name, `${name.length} B`])
        row.append(Object.assign(document.createElement('span'), { textContent: text }))
      return row
    })
    list.replaceChildren(...rows)
    list.getBoundingClientRect()
  }
  list.remove()
  return performance.now() - start
}
