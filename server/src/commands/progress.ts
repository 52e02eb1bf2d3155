import { describeSize } from '../modules/items/index.ts'
import type { Operator } from './command.ts'

/** The time between two lines, in milliseconds, and between two drawings on a terminal. */
const [LINE_INTERVAL, DRAW_INTERVAL] = [5000, 100]

/** Rate and remaining time are those of the last 15 seconds, because a command may pass quickly over what is done already. */
const WINDOW = 15_000

/** An item takes about as long as this many bytes. */
const BYTES_PER_ITEM = 64 * 1024

const BAR_WIDTH = 24

/** What a command works through. Without totals, only what is done is shown. The totals may grow while it works. */
export interface Task {
  /** What is done to the items: `Checked`. */
  readonly what: string
  /** The name of the items, in the plural: `blobs`. */
  readonly unit: string
  items?: number
  /** Left out if the items have no size. */
  bytes?: number
}

interface Sample {
  at: number
  items: number
  bytes: number
}

/**
 * Shows how far a command is: on a terminal a line that is redrawn, with a bar, the remaining time and the rate, otherwise a line
 * every few seconds.
 */
export class Progress {
  readonly #task: Task
  readonly #output: Pick<Operator, 'tell' | 'status' | 'watch'>
  #items = 0
  #bytes = 0
  #shownAt = performance.now()
  /** The oldest first. */
  #samples: Sample[] = [{ at: this.#shownAt, items: 0, bytes: 0 }]

  constructor(task: Task, output: Pick<Operator, 'tell' | 'status' | 'watch'>) {
    this.#task = task
    this.#output = output
  }

  /** Counts an item as done, with bytes that were not counted yet, or several items. */
  add(bytes = 0, items = 1): void {
    this.#items += items
    this.pass(bytes)
  }

  /** Counts bytes within an item, because a large one takes longer than the time between two lines. */
  pass(bytes: number): void {
    this.#bytes += bytes
    if (this.#task.bytes !== undefined) this.#output.watch?.(this.#bytes, this.#task.bytes)
    const now = performance.now()
    const { status } = this.#output
    if (now - this.#shownAt < (status ? DRAW_INTERVAL : LINE_INTERVAL)) return
    this.#shownAt = now
    this.#sample(now)
    if (status) status.show(this.#draw(status.columns))
    else this.#output.tell(`${this.#task.what}: ${this.#describe().join(', ')}`)
  }

  #sample(now: number): void {
    while (this.#samples.length > 1 && (this.#samples[0]?.at ?? now) < now - WINDOW) this.#samples.shift()
    this.#samples.push({ at: now, items: this.#items, bytes: this.#bytes })
  }

  /** Draws the line. What doesn't fit is left out, the least important first. */
  #draw(columns: number): string {
    const share = this.#share()
    let line = this.#task.what
    if (share !== undefined) {
      const filled = Math.round(share * BAR_WIDTH)
      line += ` ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`
    }
    const gap = share === undefined ? ': ' : ' '
    for (const [index, part] of this.#describe().entries()) {
      const next = `${line}${index === 0 ? gap : ', '}${part}`
      if (next.length >= columns) break
      line = next
    }
    return line
  }

  /** Returns share, remaining time, items, bytes and rate, as far as they are known. */
  #describe(): string[] {
    const { items, bytes, unit } = this.#task
    const share = this.#share()
    const { perSecond, remaining } = this.#speed()
    const parts: string[] = []
    if (share !== undefined) parts.push(`${Math.floor(share * 100)}%`)
    if (remaining !== undefined) parts.push(`${describeDuration(remaining)} left`)
    parts.push(items === undefined ? `${this.#items} ${unit}` : `${this.#items} of ${items} ${unit}`)
    if (bytes !== undefined) parts.push(`${describeSize(this.#bytes)} of ${describeSize(bytes)}`)
    else if (this.#bytes > 0) parts.push(describeSize(this.#bytes))
    parts.push(
      this.#bytes > 0 ? `${describeSize(Math.round(perSecond.bytes))}/s` : `${Math.round(perSecond.items)} ${unit}/s`,
    )
    return parts
  }

  /** Returns how much of the work is done, from 0 to 1, or undefined if the totals aren't known. */
  #share(): number | undefined {
    const { items, bytes = 0 } = this.#task
    if (items === undefined) return undefined
    const total = this.#workOf(items, bytes)
    return total === 0 ? 1 : Math.min(this.#workOf(this.#items, this.#bytes) / total, 1)
  }

  #speed(): { perSecond: { items: number; bytes: number }; remaining: number | undefined } {
    const [first, last] = [this.#samples[0] as Sample, this.#samples.at(-1) as Sample]
    const seconds = Math.max((last.at - first.at) / 1000, 0.001)
    const perSecond = { items: (last.items - first.items) / seconds, bytes: (last.bytes - first.bytes) / seconds }
    const speed = this.#workOf(perSecond.items, perSecond.bytes)
    const { items, bytes = 0 } = this.#task
    if (items === undefined || speed === 0) return { perSecond, remaining: undefined }
    return { perSecond, remaining: Math.max(this.#workOf(items - this.#items, bytes - this.#bytes), 0) / speed }
  }

  #workOf(items: number, bytes: number): number {
    return items * BYTES_PER_ITEM + (this.#task.bytes === undefined ? 0 : bytes)
  }
}

/** Shows on a terminal what a command is doing while it can't say how far it is. */
export function showPhase({ status }: Pick<Operator, 'status'>, doing: string): void {
  status?.show(`${doing} …`)
}

/** Describes a duration given in seconds: `45 s`, `12 min`, `3 h 5 min`. */
function describeDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
