const LOOK_EVERY = 100

/**
 * Runs once no dialog is open any more: only then is it known where the focus is, for a dialog gives it back when it
 * has closed. Answers how to call it off.
 */
export function afterDialogs(run: () => void): () => void {
  const timer = setInterval(() => {
    if (document.querySelector('[aria-modal]')) return
    clearInterval(timer)
    run()
  }, LOOK_EVERY)
  return () => clearInterval(timer)
}
