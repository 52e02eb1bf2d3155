import { expect, test } from 'vitest'
import { run } from './run.mjs'
import { withTicker } from './ticker.mjs'

function openStream(isTTY) {
  const written = []
  return { written, stream: { isTTY, columns: 60, write: (text) => written.push(text) } }
}

test('prints a line at the start and at the end if the output is not a terminal', async () => {
  const { written, stream } = openStream(false)
  expect(await withTicker('Building', async () => 'built', { stream })).toBe('built')
  expect(written).toEqual(['Building …\n', 'Building: done in 0 s\n'])
})

test('redraws a line with a bar on a terminal, and ends it after a failure', async () => {
  const { written, stream } = openStream(true)
  let share = 0
  const work = async () => {
    share = 0.5
    await expect.poll(() => written.at(-1)).toContain('████████████░░░░░░░░░░░░ 50%')
    throw new Error('broken')
  }
  await expect(withTicker('Installing', work, { share: () => share, stream })).rejects.toThrow('broken')
  for (const text of written.slice(0, -1)) expect(text).toMatch(/^\r/)
  expect(written.at(-1)).toBe('\n')
})

test('a command prints nothing unless it fails, and then all of its output', async () => {
  await run(process.execPath, ['-e', 'console.log("noise")'], {})
  const failing = run(
    process.execPath,
    ['-e', 'console.log("what is wrong"); console.error("where"); process.exit(3)'],
    {},
  )
  await expect(failing).rejects.toThrow(/what is wrong\nwhere\n.* ended with code 3\.$/s)
})
