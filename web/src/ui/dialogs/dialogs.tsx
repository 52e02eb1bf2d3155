import { type LazyModule, lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { notifyError } from '../toasts/notify.tsx'

const place = lazyModule(() => import('./DialogPlace.tsx'), 'soon')
let isReady = false
let waiting: (() => void)[] = []

/** Where dialogs appear, fetched after the first screen. */
export function Dialogs() {
  const part = useLazyModule(place, false)
  return part ? <part.DialogPlace onReady={runWaiting} /> : null
}

function runWaiting(): void {
  isReady = true
  const runs = waiting
  waiting = []
  for (const run of runs) run()
}

/** Resolves when a dialog can be opened; rejects when what is needed for that cannot be fetched. */
async function untilReady(): Promise<void> {
  await place.load()
  if (!isReady) await new Promise<void>((resolve) => waiting.push(resolve))
}

let isOpening = false
/** A dialog that never takes the focus does not keep others from being opened for longer, in milliseconds. */
const LONGEST_OPENING = 500

/**
 * Opens a dialog that is a part fetched later: at once where it is there. A second click, or Enter on the button that
 * still has the focus, does nothing while it is on its way. Answers whether it could be opened.
 */
export async function openLater<M>(part: LazyModule<M>, open: (module: M) => void): Promise<boolean> {
  if (isOpening) return false
  isOpening = true
  try {
    if (part.loaded && isReady) open(part.loaded)
    else {
      const [module] = await Promise.all([part.load(), untilReady()])
      open(module)
    }
    void untilFocused().then(() => {
      isOpening = false
    })
    return true
  } catch {
    isOpening = false
    notifyError('This could not be opened. Check your connection, then try again.')
    return false
  }
}

/** Until a dialog has the focus. One that is opened from another has it elsewhere than before. */
function untilFocused(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer)
      document.removeEventListener('focusin', look)
      resolve()
    }
    const look = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.closest('[aria-modal]')) stop()
    }
    const timer = setTimeout(stop, LONGEST_OPENING)
    document.addEventListener('focusin', look)
  })
}
