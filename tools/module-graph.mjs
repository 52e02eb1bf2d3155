// Draws which module of the server imports which, as Mermaid text. `node tools/module-graph.mjs` writes the drawing into
// docs/architecture.md; a test compares the two.
import { readFileSync, writeFileSync } from 'node:fs'
import { root } from './prepare.mjs'
import { isTest, readImports } from './source-imports.mjs'

const MODULES = 'server/src/modules/'
const DOCUMENT = 'docs/architecture.md'
const DRAWING = /(<!-- module graph: node tools\/module-graph\.mjs -->\n)[\s\S]*?(<!-- end -->)/

const moduleOf = (path) => (path.startsWith(MODULES) ? path.slice(MODULES.length).split('/')[0] : undefined)

/** Returns the graph without the arrows that follow from others: A → C where A → B → C. */
function drawModules() {
  const imported = new Map()
  for (const [file, targets] of readImports(`${MODULES}**/*.ts`)) {
    if (isTest(file)) continue
    const module = moduleOf(file)
    const others = targets.map(moduleOf).filter((other) => other !== undefined && other !== module)
    imported.set(module, new Set([...(imported.get(module) ?? []), ...others]))
  }
  const reaches = (from, to) => [...(imported.get(from) ?? [])].some((next) => next === to || reaches(next, to))
  const arrows = [...imported].flatMap(([module, others]) =>
    [...others]
      .filter((other) => ![...others].some((between) => between !== other && reaches(between, other)))
      .map((other) => `  ${module} --> ${other}`),
  )
  const alone = [...imported.keys()].filter(
    (module) => imported.get(module).size === 0 && ![...imported.values()].some((others) => others.has(module)),
  )
  return ['```mermaid', 'graph TD', ...arrows.sort(), ...alone.sort().map((module) => `  ${module}`), '```', ''].join(
    '\n',
  )
}

/** Returns the architecture with the drawing of the code as it is. */
export function withDrawing(text) {
  if (!DRAWING.test(text)) throw new Error(`${DOCUMENT} has no place for the module graph`)
  return text.replace(DRAWING, (_, start, end) => `${start}${drawModules()}${end}`)
}

if (import.meta.main) {
  process.chdir(root)
  writeFileSync(DOCUMENT, withDrawing(readFileSync(DOCUMENT, 'utf8')))
}
