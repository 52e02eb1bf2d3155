import { setTimeout as wait } from 'node:timers/promises'
import { LARGE } from './drive.ts'
import type { Screen } from './screen.ts'

/** What a user does on the page of the files. */
export interface Interaction {
  readonly name: string
  /** What is done before, without being measured. */
  readonly prepare?: (screen: Screen) => Promise<void>
  readonly act: (screen: Screen) => Promise<void>
  /** An expression that is true once the page shows the effect. */
  readonly shows: string
}

const item = (index: number) => `document.querySelector('[data-index="${index}"]')`
const named = (name: string, within = 'button') =>
  `[...document.querySelectorAll(${JSON.stringify(within)})].find((one) => (one.ariaLabel ?? one.textContent).startsWith(${JSON.stringify(name)}))`
const selected = (count: string) =>
  `document.querySelector('[role=toolbar] strong')?.textContent === '${count} selected'`
const NOTHING_SELECTED = `!document.querySelector('[aria-selected=true]')`
const search = `document.querySelector('[role=combobox]')`
const view = (name: string) => named(name, '[role=radiogroup] label')
const menu = `document.querySelector('[role=menu]')`
const dialog = `document.querySelector('[role=dialog]')`
/** A picture behind the folders, and in view after some scrolling. */
const FILE = 102

/** As fast as a quick typist, in milliseconds. */
const BETWEEN_KEYS = 120

const close = (screen: Screen) => screen.press('Escape')

const LARGE_IS_SHOWN = `document.querySelector('[role=grid]')?.ariaLabel.endsWith(${JSON.stringify(LARGE)})`

/** The first of them opens the large folder. */
export const OPEN_FOLDER: Interaction = {
  name: 'open a folder',
  act: (screen) => screen.click(named(LARGE, '[data-item-id]'), { times: 2 }),
  shows: LARGE_IS_SHOWN,
}

export const INTERACTIONS: readonly Interaction[] = [
  { name: 'select an item', act: (screen) => screen.click(item(1)), shows: selected('1') },
  {
    name: 'select another item',
    act: (screen) => screen.click(item(4), { isWithControl: true }),
    shows: selected('2'),
  },
  { name: 'select everything', act: (screen) => screen.press('Control+a'), shows: selected('10,000') },
  { name: 'select nothing', act: close, shows: NOTHING_SELECTED },
  {
    name: 'open the menu of an item',
    act: (screen) => screen.click(item(2), { button: 'right' }),
    shows: menu,
  },
  { name: 'close the menu', act: close, shows: `!${menu}` },
  { name: 'open a dialog', act: (screen) => screen.press('F2'), shows: dialog },
  { name: 'close the dialog', act: close, shows: `!${dialog}` },
  {
    name: 'open a preview',
    prepare: async ({ page }) => page.evaluate('scrollTo(0, 1600)'),
    act: (screen) => screen.click(item(FILE), { times: 2 }),
    shows: `${dialog}?.ariaLabel?.startsWith('Preview of')`,
  },
  {
    name: 'go to the next file',
    act: (screen) => screen.press('ArrowRight'),
    shows: `${dialog}?.ariaLabel?.includes(' 0005')`,
  },
  { name: 'close the preview', act: close, shows: `!${dialog}` },
  {
    name: 'type into the search',
    prepare: (screen) => screen.click(search),
    act: async (screen) => {
      for (const letter of 'trip 1') {
        await screen.press(letter)
        await wait(BETWEEN_KEYS)
      }
    },
    shows: `document.querySelector('[role=listbox]')`,
  },
  { name: 'close the search', act: close, shows: `!document.querySelector('[role=listbox]')` },
  {
    name: 'change to the list',
    prepare: async ({ page }) => page.evaluate('scrollTo(0, 0)'),
    act: (screen) => screen.click(view('List')),
    shows: `document.querySelector('[data-shape=row]')`,
  },
  { name: 'select everything in the list', act: (screen) => screen.press('Control+a'), shows: selected('10,000') },
  { name: 'select nothing in the list', act: close, shows: NOTHING_SELECTED },
  {
    name: 'change to the grid',
    act: (screen) => screen.click(view('Grid')),
    shows: `document.querySelector('[data-shape=folder]')`,
  },
  { name: 'open the menu of orders', act: (screen) => screen.click(named('Sort by')), shows: menu },
  {
    name: 'sort',
    act: (screen) => screen.click(named('Size', '[role=menuitemradio]')),
    shows: `!${menu}`,
  },
]

/**
 * Carries out an interaction. Returns the milliseconds from the slowest of its events to the end of the next frame, which is what
 * INP (Interaction to Next Paint) is made of, and the processor time of the page until it rests.
 */
export async function timeInteraction(
  screen: Screen,
  { prepare, act, shows, name }: Interaction,
): Promise<{ readonly time: number; readonly work: number }> {
  await prepare?.(screen)
  await screen.rest()
  await screen.page.evaluate('window.takeInteraction()')
  const before = await screen.readWork()
  await act(screen)
  await screen.page.until(shows, SHOWN_WITHIN).catch((error) => {
    throw new Error(`${name}: ${error.message}`)
  })
  await screen.rest()
  const work = (await screen.readWork()) - before
  return { time: await screen.page.evaluate<number>('window.takeInteraction()'), work }
}

const SHOWN_WITHIN = 20_000
