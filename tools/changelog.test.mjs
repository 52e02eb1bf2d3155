import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './prepare.mjs'

const read = (name) => readFileSync(join(root, name), 'utf8')
const { version, workspaces } = JSON.parse(read('package.json'))
const changelog = read('CHANGELOG.md')

test('the changelog lists Unreleased first, then this version and earlier ones with dates', () => {
  const [unreleased, newest, ...others] = changelog.match(/^## .*/gm) ?? []
  expect(unreleased).toBe('## Unreleased')
  expect(newest).toMatch(new RegExp(`^## ${RegExp.escape(version)} - \\d{4}-\\d{2}-\\d{2}$`))
  for (const heading of others) expect(heading).toMatch(/^## \d+\.\d+\.\d+ - \d{4}-\d{2}-\d{2}$/)
})

test('the changelog groups its entries under the four standard headings, one line each', () => {
  for (const heading of changelog.match(/^### .*/gm) ?? []) {
    expect(heading).toMatch(/^### (Added|Changed|Fixed|Security)$/)
  }
  const entries = changelog.split('\n').filter((line) => /^\s*-|^ {2}/.test(line))
  expect(entries.length).toBeGreaterThan(100)
  for (const entry of entries) expect(entry).toMatch(/^- [^a-z].{0,137}$|^- `.{0,137}$/)
})

test('all workspaces and the lock file have the version of the product', () => {
  const { packages } = JSON.parse(read('package-lock.json'))
  expect(packages[''].version).toBe(version)
  for (const workspace of workspaces) {
    expect(JSON.parse(read(join(workspace, 'package.json'))).version, workspace).toBe(version)
    expect(packages[workspace].version, workspace).toBe(version)
  }
})
