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
  // Dialogs that every page fetches a little later.
  ...['ui/dialogs/ShortcutSheet.tsx', 'features/accounts/reauthentication/ReauthenticationDialog.tsx'],
]

/** What sends the files of visitors. It shares the uploader with the file manager, and nothing else. */
const SENDERS = ['RequestPage', 'FolderUploads'].map((name) => `features/sharing/visit/send/${name}.tsx`)

let first: ReadonlySet<string> | undefined
let visitors: ReadonlySet<string> | undefined
let senders: ReadonlySet<string> | undefined

/**
 * Returns the function that puts those modules of ours into a chunk that the first screen needs: into `common` if visitors need them
 * too, into `transfers` if those who send files do, or else into `files`. Without these groups there would be fifty chunks of a few
 * hundred bytes.
 */
export function firstScreenGroup(name: 'common' | 'transfers' | 'files') {
  return (id: string, graph: ModuleGraph) => (groupOf(id, graph) === name ? name : null)
}

function groupOf(id: string, graph: ModuleGraph): 'common' | 'transfers' | 'files' | null {
  first ??= reachedFrom(FIRST, graph)
  visitors ??= reachedFrom(VISITORS, graph)
  senders ??= reachedFrom(SENDERS, graph)
  if (!first.has(id)) return null
  if (visitors.has(id)) return 'common'
  return senders.has(id) ? 'transfers' : 'files'
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
