import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Creates a queue of tasks that are named by their group and a number. */
function fill(tasks: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>(100)
  for (const task of tasks) queue.add(task.slice(0, 1), task)
  return queue
}

it('alternates between groups and takes the newest task of a group first', () => {
  const queue = fill(['a1', 'a2', 'a3', 'b1', 'b2'])
  expect([1, 2, 3, 4, 5, 6].map(() => queue.take())).toEqual(['a3', 'b2', 'a2', 'b1', 'a1', undefined])
})

it('lets a group with slow tasks wait until the others have used as much time', () => {
  const queue = fill(['a1', 'a2', 'b1', 'b2', 'b3'])
  expect(queue.take()).toBe('a2')
  queue.charge('a', 10_000)
  for (const expected of ['b3', 'b2', 'b1']) {
    expect(queue.take()).toBe(expected)
    queue.charge('b', 100)
  }
  expect(queue.take()).toBe('a1')
})

it('serves a new group first once and then alternates, so that idle groups save up no time', () => {
  const queue = fill(['a1', 'a2', 'a3', 'a4'])
  for (const _ of [1, 2]) {
    queue.take()
    queue.charge('a', 60_000)
  }
  for (const task of ['b1', 'b2', 'b3']) queue.add('b', task)
  const order: (string | undefined)[] = []
  for (let task = queue.take(); task; task = queue.take()) {
    order.push(task)
    queue.charge(task.slice(0, 1), 60_000)
  }
  expect(order).toEqual(['b3', 'a2', 'b2', 'a1', 'b1'])
})

it('skips groups that the caller excludes', () => {
  const queue = fill(['a1', 'a2', 'b1'])
  const isB = (group: string) => group === 'b'
  expect([queue.take(isB), queue.take(isB), queue.take()]).toEqual(['b1', undefined, 'a2'])
})

it('removes the oldest task of the largest group if the queue is full', () => {
  const queue = new FairQueue<string>(3)
  for (const task of ['a1', 'a2', 'b1']) expect(queue.add(task.slice(0, 1), task)).toBeUndefined()
  expect(queue.add('c', 'c1')).toBe('a1')
})
