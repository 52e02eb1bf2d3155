const WINDOW = 5000

/** Measures bytes per second over the last five seconds. Times are in milliseconds. */
export interface SpeedMeter {
  add(bytes: number, now: number): void
  /** Returns the bytes per second; 0 if nothing was sent recently. */
  read(now: number): number
}

export function createSpeedMeter(): SpeedMeter {
  let samples: { time: number; bytes: number }[] = []
  let startedAt: number | undefined

  function forgetBefore(time: number): void {
    const first = samples.findIndex((sample) => sample.time >= time)
    if (first === -1) {
      samples = []
      startedAt = undefined
    } else if (first > 0) samples = samples.slice(first)
  }

  return {
    add(bytes, now) {
      forgetBefore(now - WINDOW)
      startedAt ??= now
      const last = samples.at(-1)
      // Many requests report progress in quick succession. One sample per tenth of a second is enough.
      if (last && now - last.time < 100) last.bytes += bytes
      else samples.push({ time: now, bytes })
    },
    read(now) {
      forgetBefore(now - WINDOW)
      if (startedAt === undefined) return 0
      const elapsed = Math.min(WINDOW, Math.max(1000, now - startedAt))
      const bytes = samples.reduce((total, sample) => total + sample.bytes, 0)
      return Math.max(0, (bytes * 1000) / elapsed)
    },
  }
}
