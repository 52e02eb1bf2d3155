/**
 * What waits, by who asked for it. Everyone has a turn after the other, and of one's own what was asked for last comes
 * first: who scrolls on wants to see what is there now.
 */
export class FairQueue<Task> {
  /** In the order of the turns; each with the newest at the end. */
  readonly #groups = new Map<string, Task[]>()
  readonly #maxSize: number
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Where there is no room, the oldest task of who has the most gives way, and is answered. */
  add(group: string, task: Task): Task | undefined {
    const tasks = this.#groups.get(group)
    if (tasks) tasks.push(task)
    else this.#groups.set(group, [task])
    this.#size += 1
    return this.#size > this.#maxSize ? this.#giveWay() : undefined
  }

  take(): Task | undefined {
    const [turn] = this.#groups
    if (!turn) return undefined
    const [group, tasks] = turn
    const task = tasks.pop()
    this.#groups.delete(group)
    if (tasks.length > 0) this.#groups.set(group, tasks)
    this.#size -= 1
    return task
  }

  /** Whether it was still there. */
  remove(group: string, task: Task): boolean {
    const tasks = this.#groups.get(group) ?? []
    const index = tasks.indexOf(task)
    if (index === -1) return false
    tasks.splice(index, 1)
    if (tasks.length === 0) this.#groups.delete(group)
    this.#size -= 1
    return true
  }

  #giveWay(): Task | undefined {
    const most = [...this.#groups.values()].reduce((a, b) => (b.length > a.length ? b : a))
    this.#size -= 1
    return most.shift()
  }
}
