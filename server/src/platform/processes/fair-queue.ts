/**
 * A queue of tasks, grouped by who requested them. The group that has used the least time goes next, so that a group with slow
 * tasks doesn't delay those with quick ones. Equal groups alternate. Within a group the newest task goes first, because a user
 * who scrolls on wants to see what is in view now.
 */
export class FairQueue<Task> {
  /** In the order in which groups are served; each has its newest task at the end. */
  readonly #groups = new Map<string, Task[]>()
  readonly #maxSize: number
  /** Milliseconds that groups have used, beyond the common base. */
  readonly #used = new Map<string, number>()
  /** What the last served group had used. A new group starts there, so that nobody saves up time. */
  #floor = 0
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Adds a task. If the queue is full, it removes and returns the oldest task of the group that has the most. */
  add(group: string, task: Task): Task | undefined {
    const tasks = this.#groups.get(group)
    if (tasks) tasks.push(task)
    else this.#groups.set(group, [task])
    this.#size += 1
    return this.#size > this.#maxSize ? this.#giveWay() : undefined
  }

  /** Takes the next task. `may` excludes groups that have enough for now. */
  take(may: (group: string) => boolean = () => true): Task | undefined {
    let next: string | undefined
    for (const group of this.#groups.keys()) {
      if (may(group) && (next === undefined || this.#usedBy(group) < this.#usedBy(next))) next = group
    }
    if (next === undefined) return undefined
    const tasks = this.#groups.get(next) as Task[]
    const task = tasks.pop()
    this.#groups.delete(next)
    if (tasks.length > 0) this.#groups.set(next, tasks)
    this.#size -= 1
    this.#raiseFloor(this.#usedBy(next))
    return task
  }

  /** Adds the time that a task of a group has taken. */
  charge(group: string, milliseconds: number): void {
    this.#used.set(group, this.#usedBy(group) + milliseconds)
  }

  /** Removes a task that is no longer wanted. Returns whether it was still waiting. */
  remove(group: string, task: Task): boolean {
    const tasks = this.#groups.get(group) ?? []
    const index = tasks.indexOf(task)
    if (index === -1) return false
    tasks.splice(index, 1)
    if (tasks.length === 0) this.#groups.delete(group)
    this.#size -= 1
    return true
  }

  #usedBy(group: string): number {
    return Math.max(this.#used.get(group) ?? 0, this.#floor)
  }

  /** Groups at the common base need not be remembered. */
  #raiseFloor(used: number): void {
    if (used <= this.#floor) return
    this.#floor = used
    for (const [group, time] of this.#used) if (time <= used) this.#used.delete(group)
  }

  #giveWay(): Task | undefined {
    const max = [...this.#groups.values()].reduce((a, b) => (b.length > a.length ? b : a))
    this.#size -= 1
    return max.shift()
  }
}
