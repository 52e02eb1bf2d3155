/**
 * Works on what comes, some at a time, and answers the results in order: what waits for one disk or store does not wait for
 * it alone, and whoever takes the results slowly holds it back.
 */
export async function* workAhead<T, Result>(
  those: AsyncIterable<T>,
  atOnce: number,
  work: (one: T) => Promise<Result>,
): AsyncGenerator<Result> {
  const working: Promise<Result>[] = []
  try {
    for await (const one of those) {
      const doing = work(one)
      // Its failure is told when its turn comes.
      doing.catch(() => {})
      working.push(doing)
      if (working.length >= atOnce) yield await (working.shift() as Promise<Result>)
    }
    while (working.length > 0) yield await (working.shift() as Promise<Result>)
  } finally {
    // After a failure nothing goes on behind the back of who is told of it.
    await Promise.allSettled(working)
  }
}
