import '../../lib/testing/browser-globals.ts'
import { beforeEach, expect, test } from 'vitest'
import { forgetUndos, rememberUndo, undo } from './undo.ts'

let done: string[] = []
const step = (id: string, run = async () => void done.push(id)) => ({
  id,
  undo: run,
  onGone: () => done.push(`-${id}`),
})
const settle = () => new Promise((resolve) => setTimeout(resolve))

beforeEach(() => {
  forgetUndos()
  done = []
})

test('what was done last is taken back first', async () => {
  rememberUndo(step('a'))
  rememberUndo(step('b'))
  expect(undo()).toBe(true)
  expect(undo()).toBe(true)
  await settle()
  expect(done.filter((text) => !text.startsWith('-'))).toEqual(['b', 'a'])
  expect(undo()).toBe(false)
})

test('a step can be taken back by its name, once, and then nothing offers it any more', async () => {
  rememberUndo(step('a'))
  rememberUndo(step('b'))
  expect(undo('a')).toBe(true)
  expect(undo('a')).toBe(false)
  await settle()
  expect(done).toEqual(['-a', 'a'])
})

test('what cannot be taken back now can be tried again', async () => {
  let tries = 0
  rememberUndo(
    step('a', async () => {
      tries += 1
      if (tries === 1) throw new TypeError('no network')
      done.push('a')
    }),
  )
  undo()
  await settle()
  expect(undo()).toBe(true)
  await settle()
  expect(done).toContain('a')
})

test('steps are taken back one after the other, never at once', async () => {
  let open: () => void = () => {}
  rememberUndo(step('a'))
  rememberUndo(
    step('b', async () => {
      await new Promise<void>((resolve) => {
        open = resolve
      })
      done.push('b')
    }),
  )
  undo()
  undo()
  await settle()
  expect(done).toEqual(['-b', '-a'])
  open()
  await settle()
  expect(done.slice(2)).toEqual(['b', 'a'])
})

test('the oldest steps are forgotten', () => {
  for (let index = 0; index < 25; index++) rememberUndo(step(String(index)))
  expect(done).toEqual(['-0', '-1', '-2', '-3', '-4'])
})
