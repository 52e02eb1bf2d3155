import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withDrawing } from './module-graph.mjs'
import { root } from './prepare.mjs'

const read = (name) => readFileSync(join(root, name), 'utf8')

test('every row in the table of the threat model names existing tests', () => {
  const model = read('docs/threat-model.md')
  const rows = model.split('\n').filter((line) => /^\| (?!Against|---)/.test(line))
  expect(rows.length).toBeGreaterThan(15)
  for (const row of rows) {
    const named = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path)
    expect(named.length, row).toBeGreaterThan(0)
    for (const path of named) {
      expect(path).toMatch(/\.(test\.(ts|tsx|mjs)|e2e\.ts)$/)
      expect(existsSync(join(root, path)), path).toBe(true)
    }
  }
})

test('the links of the security documents point to existing files', () => {
  for (const [folder, name] of [
    ['', 'SECURITY.md'],
    ['docs', 'threat-model.md'],
  ]) {
    for (const [, path] of read(join(folder, name)).matchAll(/\]\(([^)#:]+)\)/g)) {
      expect(existsSync(join(root, folder, path)), path).toBe(true)
    }
  }
})

test('the module graph in docs/architecture.md matches the code', () => {
  const architecture = read('docs/architecture.md')
  expect(withDrawing(architecture), 'run node tools/module-graph.mjs').toBe(architecture)
})
