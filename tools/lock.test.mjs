import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.mjs'

let folder
let lock
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alcove-lock-'))
  lock = join(folder, 'below', 'lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('runs work under the same lock one after the other', async () => {
  const steps = []
  const work = (name) => async () => {
    steps.push(`${name} begins`)
    await wait(20)
    steps.push(`${name} ends`)
  }
  await Promise.all([withLock(lock, work('first')), withLock(lock, work('second'))])
  expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
})

test('releases the lock when the work fails', async () => {
  await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(existsSync(lock)).toBe(false)
})

test('takes over the lock of a process that died', async () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  await withLock(lock, async () => {})
  writeFileSync(lock, String(pid))
  expect(await withLock(lock, async () => 'done')).toBe('done')
})
