// Prints the sizes of files and folders and the number of importers. A guide for reviews, not a limit.
import { readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { root } from './prepare.mjs'
import { isTest, readImports } from './source-imports.mjs'

process.chdir(root)
const isOfFrame = (file) => file.endsWith('.d.ts')
const sides = { server: 'server/src/**/*.ts', web: 'web/src/**/*.{ts,tsx}' }
const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`
const atShare = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)]

let modules = 0
/** The files with one importer, by the reason for it. */
const ofOneImporter = { 'listed in routes.ts': 0, 'behind the door of their module': 0, 'loaded later': 0, other: 0 }

/** Returns why a file has one importer. */
function reasonFor(file, importer) {
  if (/\/routes\.ts$/.test(importer)) return 'listed in routes.ts'
  if (/\/index\.ts$/.test(importer)) return 'behind the door of their module'
  const name = basename(file).replaceAll('.', '\\.')
  return new RegExp(`(import|new URL)\\('\\.[^']*/${name}'`).test(readFileSync(importer, 'utf8'))
    ? 'loaded later'
    : 'other'
}

for (const [side, pattern] of Object.entries(sides)) {
  const all = readImports(pattern)
  const files = [...all.keys()].filter((file) => !isTest(file) && !isOfFrame(file))
  const lines = files.map((file) => readFileSync(file, 'utf8').split('\n').length - 1).sort((a, b) => a - b)
  const importers = new Map(files.map((file) => [file, []]))
  for (const file of files) {
    for (const target of new Set(all.get(file))) importers.get(target)?.push(file)
  }
  const once = [...importers].filter(([, { length }]) => length === 1)
  for (const [file, [importer]] of once) ofOneImporter[reasonFor(file, importer)] += 1
  modules += files.length
  const perFolder = Map.groupBy(files, dirname)
  const full = [...perFolder].filter(([, list]) => list.length > 25).map(([folder, list]) => `${folder} ${list.length}`)
  console.log(
    `${side}: ${files.length} source files, ${percent(lines.filter((count) => count < 40).length, files.length)} under 40 lines`,
  )
  console.log(`  lines: median ${atShare(lines, 0.5)}, 90th percentile ${atShare(lines, 0.9)}`)
  console.log(
    `  folders with more than 25 source files: ${full.length}${full.length > 0 ? ` (${full.join(', ')})` : ''}`,
  )
  console.log(`  modules with exactly one importer: ${once.length} of ${files.length}`)
}
const once = Object.values(ofOneImporter).reduce((sum, count) => sum + count)
console.log(`modules with exactly one importer, both: ${once} of ${modules}, ${percent(once, modules)}`)
for (const [reason, count] of Object.entries(ofOneImporter))
  console.log(`  ${reason}: ${count}, ${percent(count, modules)}`)
