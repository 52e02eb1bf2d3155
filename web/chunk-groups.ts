import { join } from 'node:path'

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const source = join(import.meta.dirname, 'src')
/** The entry modules of the file manager, and of the pages that visitors see before they sign in. */
const FIRST = ['app/layout/AppLayout.tsx', 'pages/ProfilePage.tsx']
const VISITORS = [
  'app/layout/PublicLayout.tsx',
  ...['Landing', 'Login', 'Register', 'Activate', 'ForgotPassword', 'ResetPassword', 'Share'].map(
    (name) => `pages/${name}Page.tsx`,
  ),
]

let first: ReadonlySet<string> | undefined
let visitors: ReadonlySet<string> | undefined

/**
 * Returns the chunk of a module of ours that the first screen needs: `common` if visitors need it too, or else `files`.
 * Without these groups there would be fifty chunks of a few hundred bytes.
 */
export function firstScreenGroup(id: string, graph: ModuleGraph): 'common' | 'files' | null {
  first ??= reachedFrom(FIRST, graph)
  visitors ??= reachedFrom(VISITORS, graph)
  if (!first.has(id)) return null
  return visitors.has(id) ? 'common' : 'files'
}

/** Returns our modules that the roots import statically, directly or indirectly. */
function reachedFrom(roots: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = roots.map((root) => join(source, root))
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    // Libraries and schemas are skipped, because their index modules import everything.
    if (reached.has(id) || id.includes('/node_modules/') || isSchema(id)) continue
    reached.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return reached
}

function isSchema(id: string): boolean {
  return id.includes('/contract/src/') && !id.endsWith('?calls')
}
