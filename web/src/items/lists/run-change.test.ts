import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { runChange } from './run-change.ts'

const settle = () => new Promise((resolve) => setTimeout(resolve))

/** A client that shows a list, and counts how often it has been fetched. */
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

test('a change is seen before the server has answered', async () => {
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

test('a change that is refused is taken back, and the refusal is handed on', async () => {
  const { client, names, without } = await showList(['a', 'b'])
  const change = runChange(client, {
    touches: [['list']],
    show: without('a'),
    call: () => Promise.reject(new Error('no')),
  })
  await expect(change).rejects.toThrow('no')
  expect(names()).toEqual(['b', 'a'])
})

test('nothing is fetched anew while another change is under way', async () => {
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
