// Prints the sizes of files and folders and the number of importers. A guide for reviews, not a limit.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { root } from './prepare.mjs'
import { isTest, readImports } from './source-imports.mjs'

process.chdir(root)
const isOfFrame = (file) => file.endsWith('.d.ts')
const sides = { server: 'server/src/**/*.ts', web: 'web/src/**/*.{ts,tsx}' }
const percent = (part, whole) => `${Math.round((100 * part) / whole)} %`
const atShare = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)]

let modules = 0
let ofOneImporter = 0
for (const [side, pattern] of Object.entries(sides)) {
  const all = readImports(pattern)
  const files = [...all.keys()].filter((file) => !isTest(file) && !isOfFrame(file))
  const lines = files.map((file) => readFileSync(file, 'utf8').split('\n').length - 1).sort((a, b) => a - b)
  const importers = new Map(files.map((file) => [file, 0]))
  for (const file of files) {
    for (const target of new Set(all.get(file)))
      if (importers.has(target)) importers.set(target, importers.get(target) + 1)
  }
  const once = [...importers.values()].filter((count) => count === 1).length
  modules += files.length
  ofOneImporter += once
  const perFolder = Map.groupBy(files, dirname)
  const full = [...perFolder].filter(([, list]) => list.length > 25).map(([folder, list]) => `${folder} ${list.length}`)
  console.log(
    `${side}: ${files.length} source files, ${percent(lines.filter((count) => count < 40).length, files.length)} under 40 lines`,
  )
  console.log(`  lines: median ${atShare(lines, 0.5)}, 90th percentile ${atShare(lines, 0.9)}`)
  console.log(
    `  folders with more than 25 source files: ${full.length}${full.length > 0 ? ` (${full.join(', ')})` : ''}`,
  )
  console.log(`  modules with exactly one importer: ${once} of ${files.length}`)
}
console.log(
  `modules with exactly one importer, both: ${ofOneImporter} of ${modules}, ${percent(ofOneImporter, modules)}`,
)
