/**
 * Runs work on a stream of values, several at a time, and yields the results as they come, so that a large blob doesn't hold up
 * small ones. A slow consumer slows everything down.
 */
export async function* mapConcurrently<T, Result>(
  values: AsyncIterable<T>,
  concurrency: number,
  work: (one: T) => Promise<Result>,
): AsyncGenerator<Result> {
  const working = new Set<Promise<void>>()
  const ended: PromiseSettledResult<Result>[] = []
  let wake = () => {}

  function begin(one: T): void {
    const doing = work(one).then(
      (value) => end({ status: 'fulfilled', value }),
      (reason: unknown) => end({ status: 'rejected', reason }),
    )
    working.add(doing)
    function end(settled: PromiseSettledResult<Result>): void {
      working.delete(doing)
      ended.push(settled)
      wake()
    }
  }
  async function take(): Promise<Result> {
    if (ended.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    const settled = ended.shift() as PromiseSettledResult<Result>
    if (settled.status === 'rejected') throw settled.reason
    return settled.value
  }

  try {
    for await (const one of values) {
      begin(one)
      while (ended.length > 0 || working.size >= concurrency) yield await take()
    }
    while (ended.length + working.size > 0) yield await take()
  } finally {
    // After a failure, waits for the work that is still running.
    await Promise.all(working)
  }
}
