// Checks the rules of .dependency-cruiser.mjs.
import { globSync } from 'node:fs'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'
import { root } from './prepare.mjs'

process.chdir(root)
const files = globSync('{contract,stripe-sandbox,server,web,e2e,bench,scale,faults}/**/*.{ts,tsx}', {
  exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path),
})
const options = await extractDepcruiseOptions('./.dependency-cruiser.mjs')
const { output } = await cruise(files, options)

// The tool also passes if it reads nothing, so every file must be among those it read, and there must be imports.
const modules = new Map(output.modules.map((module) => [module.source, module]))
const unread = files.filter((file) => !modules.has(file))
const imports = files.reduce((sum, file) => sum + (modules.get(file)?.dependencies.length ?? 0), 0)

for (const file of unread) console.error(`not read: ${file}`)
for (const { rule, from, to, cycle, comment } of output.summary.violations) {
  const target = cycle ? cycle.map(({ name }) => name).join(' -> ') : to
  console.error(`${rule.name}: ${from} -> ${target}${comment ? `\n  ${comment}` : ''}`)
}
const violations = output.summary.violations.length
console.log(`${files.length} files, ${imports} imports, ${violations} violations`)
process.exitCode = unread.length === 0 && violations === 0 && imports > 0 ? 0 : 1
