/**
 * Waiting tasks, grouped by who asked for them. The group that has used the least time goes next, so that one whose
 * tasks are slow waits for those whose tasks are quick; among equals they take turns. Within a group the newest task
 * comes first: whoever scrolls on wants to see what is there now.
 */
export class FairQueue<Task> {
  /** In the order of the turns; each with the newest at the end. */
  readonly #groups = new Map<string, Task[]>()
  readonly #maxSize: number
  /** Milliseconds that groups have used, beyond what all of them have. */
  readonly #used = new Map<string, number>()
  /** What the group used that went last: nobody who comes now has used less, so that nobody saves up time. */
  #floor = 0
  #size = 0

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  /** Adds a task. Where the queue is full, the oldest task of the group that has the most gives way and is returned. */
  add(group: string, task: Task): Task | undefined {
    const tasks = this.#groups.get(group)
    if (tasks) tasks.push(task)
    else this.#groups.set(group, [task])
    this.#size += 1
    return this.#size > this.#maxSize ? this.#giveWay() : undefined
  }

  /** Takes the next task; `may` leaves out groups that have enough for now. */
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

  /** Counts the time that a task of a group has taken. */
  charge(group: string, milliseconds: number): void {
    this.#used.set(group, this.#usedBy(group) + milliseconds)
  }

  /** Removes a task that nobody wants any more; returns whether it was still waiting. */
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

  /** Groups that have used no more than everybody need not be remembered. */
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
