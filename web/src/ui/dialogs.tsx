import { type Later, later, useLater } from '../lib/later.ts'
import { notifyError } from './notify.tsx'

const place = later(() => import('./DialogPlace.tsx'), 'soon')
let isReady = false
let waiting: (() => void)[] = []

/** Where dialogs appear, fetched after the first screen. */
export function Dialogs() {
  const part = useLater(place, false)
  return part ? <part.DialogPlace onReady={runWaiting} /> : null
}

function runWaiting(): void {
  isReady = true
  const runs = waiting
  waiting = []
  for (const run of runs) run()
}

/** Gives when a dialog can be opened; rejects when what is needed for that cannot be fetched. */
async function untilReady(): Promise<void> {
  await place.load()
  if (!isReady) await new Promise<void>((resolve) => waiting.push(resolve))
}

let isOpening = false

/**
 * Opens a dialog that is a part fetched later: at once where it is there. A second click while it is on its way does
 * nothing. Answers whether it could be opened.
 */
export async function openLater<M>(part: Later<M>, open: (module: M) => void): Promise<boolean> {
  if (part.loaded && isReady) {
    open(part.loaded)
    return true
  }
  if (isOpening) return false
  isOpening = true
  try {
    const [module] = await Promise.all([part.load(), untilReady()])
    open(module)
    return true
  } catch {
    notifyError('This could not be opened. Check your connection, then try again.')
    return false
  } finally {
    isOpening = false
  }
}
