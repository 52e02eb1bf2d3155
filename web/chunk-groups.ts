import { join } from 'node:path'

interface ModuleGraph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

const source = join(import.meta.dirname, 'src')
/** What the file manager needs before its list shows, and what visitors see before they sign in. */
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
 * In which file a module of ours goes that is needed for the first screen: `common` where visitors need it too, else
 * `files`. Each by itself, they would be fifty files of a few hundred bytes.
 */
export function firstScreenGroup(id: string, graph: ModuleGraph): 'common' | 'files' | null {
  first ??= reachedFrom(FIRST, graph)
  visitors ??= reachedFrom(VISITORS, graph)
  if (!first.has(id)) return null
  return visitors.has(id) ? 'common' : 'files'
}

/** The modules of ours that some import, directly or by others, without those that are fetched later. */
function reachedFrom(roots: readonly string[], graph: ModuleGraph): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = roots.map((root) => join(source, root))
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    // A library's own index names all of it, whatever of that is used; and so does what knows the schemas.
    if (reached.has(id) || id.includes('/node_modules/') || isSchema(id)) continue
    reached.add(id)
    waiting.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
  }
  return reached
}

function isSchema(id: string): boolean {
  return id.includes('/contract/src/') && !id.endsWith('?calls')
}
