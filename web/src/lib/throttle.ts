/**
 * Returns a function that runs `work` at once, then at most once per `interval` milliseconds, and always after the last
 * call.
 */
export function throttle(work: () => void, interval: number): () => void {
  let lastRun = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    lastRun = performance.now()
    work()
  }
  return () => {
    if (timer !== undefined) return
    const wait = lastRun + interval - performance.now()
    if (wait <= 0) run()
    else timer = setTimeout(run, wait)
  }
}
