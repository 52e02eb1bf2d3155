import '../lib/testing/browser-globals.ts'

import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { forgetUndos, rememberUndo, runChange, undo } from './changes.ts'

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

test('undoes the last change first', async () => {
  rememberUndo(step('a'))
  rememberUndo(step('b'))
  expect(undo()).toBe(true)
  expect(undo()).toBe(true)
  await settle()
  expect(done.filter((text) => !text.startsWith('-'))).toEqual(['b', 'a'])
  expect(undo()).toBe(false)
})

test('undoes a change by its id only once and calls its onGone', async () => {
  rememberUndo(step('a'))
  rememberUndo(step('b'))
  expect(undo('a')).toBe(true)
  expect(undo('a')).toBe(false)
  await settle()
  expect(done).toEqual(['-a', 'a'])
})

test('keeps a change whose undo failed, so that it can be undone again', async () => {
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

test('undoes changes one after the other, never at the same time', async () => {
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

/** Makes a change that can be undone, and that has no response before `finish` or `refuse` is called. */
function makeSlowChange(id: string) {
  const response = Promise.withResolvers<void>()
  void runChange(new QueryClient(), { touches: [], call: () => response.promise }).then(
    () => rememberUndo(step(id)),
    () => undefined,
  )
  return { finish: response.resolve, refuse: () => response.reject(new Error('no')) }
}

test('undoes a change that has no response yet once it has one, not the change before it', async () => {
  rememberUndo(step('a'))
  rememberUndo(step('b'))
  const { finish } = makeSlowChange('c')
  expect(undo()).toBe(true)
  await settle()
  expect(done).toEqual([])
  finish()
  await settle()
  await settle()
  expect(done).toEqual(['-c', 'c'])
})

test('undoes the change before one without a response, too, if asked twice', async () => {
  rememberUndo(step('a'))
  rememberUndo(step('b'))
  const { finish } = makeSlowChange('c')
  undo()
  undo()
  finish()
  await settle()
  await settle()
  expect(done.filter((text) => !text.startsWith('-'))).toEqual(['c', 'b'])
})

test('undoes nothing more after a change that the server refused, because that has been taken back', async () => {
  rememberUndo(step('a'))
  const { refuse } = makeSlowChange('b')
  undo()
  refuse()
  await settle()
  await settle()
  expect(done).toEqual([])
  undo()
  await settle()
  expect(done).toEqual(['-a', 'a'])
})

test('forgets the oldest changes beyond the limit of twenty', () => {
  for (let index = 0; index < 25; index++) rememberUndo(step(String(index)))
  expect(done).toEqual(['-0', '-1', '-2', '-3', '-4'])
})

/** Creates a query client with a cached list and counts its invalidations. */
async function showList(names: string[]) {
  const client = new QueryClient()
  let fetched = 0
  await client.fetchQuery({ queryKey: ['list'], queryFn: () => names })
  const stop = client.getQueryCache().subscribe(({ type, query }) => {
    if (type === 'updated' && query.state.isInvalidated) fetched += 1
  })
  const names_ = () => client.getQueryData<string[]>(['list'])
  const without = (name: string) => () => {
    client.setQueryData<string[]>(['list'], (list) => list?.filter((one) => one !== name))
    return () => client.setQueryData<string[]>(['list'], (list) => [...(list ?? []), name])
  }
  return { client, names: names_, without, invalidations: () => fetched, stop }
}

test('shows a change before the server has responded', async () => {
  const { client, names, without } = await showList(['a', 'b'])
  let response: (text: string) => void = () => {}
  const change = runChange(client, {
    touches: [['list']],
    show: without('a'),
    call: () =>
      new Promise<string>((resolve) => {
        response = resolve
      }),
  })
  await settle()
  expect(names()).toEqual(['b'])
  response('done')
  expect(await change).toBe('done')
})

test('reverts a change that the server refuses and rejects with the error', async () => {
  const { client, names, without } = await showList(['a', 'b'])
  const change = runChange(client, {
    touches: [['list']],
    show: without('a'),
    call: () => Promise.reject(new Error('no')),
  })
  await expect(change).rejects.toThrow('no')
  expect(names()).toEqual(['b', 'a'])
})

test('refetches only after all changes in progress have finished', async () => {
  const { client, invalidations } = await showList(['a', 'b'])
  let finish: () => void = () => {}
  const slow = runChange(client, {
    touches: [['list']],
    call: () =>
      new Promise<void>((resolve) => {
        finish = resolve
      }),
  })
  await runChange(client, { touches: [['list']], call: () => Promise.resolve() })
  await settle()
  expect(invalidations()).toBe(0)
  finish()
  await slow
  await settle()
  expect(invalidations()).toBeGreaterThan(0)
})
