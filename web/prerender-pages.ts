import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'
import { contractCalls } from './contract-calls.ts'
import { keepStyles } from './css-in-use.ts'

const root = import.meta.dirname
type Bundle = Rolldown.OutputBundle
/** The year that prerendered pages show, until the program tells the current one. */
export const buildYear = { 'import.meta.env.ALCOVE_BUILD_YEAR': new Date().getFullYear() }

type Prerender = typeof import('./src/prerender.tsx')

/**
 * Writes `pages/<path>.html` for each address that has a page of its own. Public pages contain what they show, with the
 * styles for it; all of them name the scripts of their screen, so that the browser fetches these at once.
 */
export function prerenderPages(): Plugin {
  return {
    name: 'prerender-pages',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }, bundle) {
        if (!dir) return
        const shell = await readFile(join(dir, 'index.html'), 'utf8')
        const css = await readStyles(dir, bundle)
        const screens = await readScreens()
        const folder = await mkdtemp(join(tmpdir(), 'alcove-prerender-'))
        try {
          const { prerender, prerenderedPaths } = await buildPrerender(folder)
          await mkdir(join(dir, 'pages'), { recursive: true })
          for (const screen of screens) {
            const scripts = scriptsOf(screen.modules, bundle)
            const isPrerendered = prerenderedPaths.includes(screen.path)
            const page = isPrerendered
              ? fillPage(shell, await prerender(screen.path), scripts, css)
              : preloadScreen(shell, scripts)
            const name = screen.path === '/' ? 'index' : screen.path.slice(1)
            await writeFile(join(dir, 'pages', `${name}.html`), page)
          }
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      },
    },
  }
}

interface ScreenSource {
  readonly path: string
  /** Where the screen and its frame are, below `src/`. */
  readonly modules: readonly string[]
}

const SCREEN_LINE = /path: '(\/[\w-]*)',.* access: '(\w+)',.*import\('\.\.\/(pages\/\w+\.tsx)'\)/g

/** The screens without parameters in their path, from the list in the router, which has one line for each. */
async function readScreens(): Promise<ScreenSource[]> {
  const router = await readFile(join(root, 'src/app/router.tsx'), 'utf8')
  const screens = [...router.matchAll(SCREEN_LINE)].map(([, path = '', access, page = '']) => ({
    path,
    modules: [access === 'user' || access === 'paid' ? 'app/AppLayout.tsx' : 'app/PublicLayout.tsx', page],
  }))
  const listed = router.match(/\{ path: '\/[\w-]*',/g)?.length
  if (screens.length !== listed)
    throw new Error(`router.tsx lists ${listed} screens, of which ${screens.length} match.`)
  return screens
}

/** Builds the program that renders the pages, for Node, and loads it. */
async function buildPrerender(folder: string): Promise<Prerender> {
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    define: buildYear,
    plugins: [react(), contractCalls()],
    ssr: { noExternal: true },
    build: {
      ssr: 'src/prerender.tsx',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'prerender.mjs' } },
    },
  })
  return (await import(pathToFileURL(join(folder, 'prerender.mjs')).href)) as Prerender
}

async function readStyles(dir: string, bundle: Bundle): Promise<string> {
  const sheets = Object.keys(bundle).filter((name) => /^assets\/style-.*\.css$/.test(name))
  if (sheets.length !== 1) throw new Error(`There is one style sheet for all screens, not ${sheets.length}.`)
  return readFile(join(dir, sheets[0] as string), 'utf8')
}

/** The scripts that modules need, with those that they import in turn. */
function scriptsOf(modules: readonly string[], bundle: Bundle): string[] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const found = new Set<string>()
  const waiting = modules.map((module) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(join(root, 'src', module)))
    if (!chunk) throw new Error(`No script contains ${module}.`)
    return chunk.fileName
  })
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const chunk = bundle[name]
    if (found.has(name) || chunk?.type !== 'chunk') continue
    found.add(name)
    waiting.push(...chunk.imports)
  }
  return [...found]
}

function preloads(scripts: readonly string[], shell: string): string {
  return scripts
    .filter((name) => !shell.includes(`"/${name}"`))
    .map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`)
    .join('')
}

const FONT = /\s*<link rel="preload" as="font"[^>]*>/g

/** Nothing shows before the scripts are there, so nothing competes with them; they fetch the fonts when they run. */
function preloadScreen(shell: string, scripts: readonly string[]): string {
  return addToHead(shell.replace(FONT, ''), preloads(scripts, shell))
}

/**
 * Puts a rendered page together. Its scripts and the whole style sheet stand at the end, since nothing that the visitor
 * sees first needs them.
 */
function fillPage(
  shell: string,
  { html, title }: { html: string; title: string },
  scripts: readonly string[],
  css: string,
): string {
  const used = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)))
  const deferred: string[] = []
  const head = shell
    .replace(/<title>[^<]*/, () => `<title>${title}`)
    .replace(/\s*<(script type="module"|link rel="(modulepreload|stylesheet)")[^>]*>(<\/script>)?/g, (tag) => {
      deferred.push(tag.trim())
      return ''
    })
  const styles = keepStyles(css, (name) => used.has(name))
  const isScript = (tag: string) => tag.startsWith('<script')
  const end = [
    ...deferred.filter((tag) => !isScript(tag)),
    preloads(scripts, shell),
    ...deferred.filter(isScript),
  ].join('')
  return addToHead(head, `<style>${styles}</style>`)
    .replace('<div id="root"></div>', () => `<div id="root">${html}</div>`)
    .replace('</body>', () => `${end}</body>`)
}

function addToHead(page: string, tags: string): string {
  return page.replace('</head>', () => `${tags}</head>`)
}
