import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'
import { contractCalls } from './contract-calls.ts'
import { findFirstLookScript } from './first-look-script.ts'
import { keepStyles } from './purge-styles.ts'

const root = import.meta.dirname
const FIRST_LOOK_PATH = '/profile'
type Bundle = Rolldown.OutputBundle
/** The year that prerendered pages show until they are hydrated. */
export const buildYear = { 'import.meta.env.ALCOVE_BUILD_YEAR': new Date().getFullYear() }

type Prerender = typeof import('./src/prerender.tsx')

/**
 * Writes `pages/<path>.html` for each page without parameters in its path. Public pages contain their rendered content
 * and its styles. All pages name the scripts of their screen, so that the browser fetches them at once.
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
          const { prerender, prerenderedPaths, renderFirstLook, sites } = await buildPrerender(folder)
          await mkdir(join(dir, 'pages'), { recursive: true })
          for (const screen of screens) {
            const scripts = scriptsOf(screen.modules, bundle)
            const name = screen.path === '/' ? 'index' : screen.path.slice(1)
            if (prerenderedPaths.includes(screen.path)) {
              for (const [index, site] of sites.entries()) {
                const page = fillPage(shell, await prerender(screen.path, site), scripts, css)
                // The server names the variant of its settings (`web-pages.ts`).
                const variant = index === 0 ? '' : `.${site.signUp}-${site.plans}`
                await writeFile(join(dir, 'pages', `${name}${variant}.html`), page)
              }
              continue
            }
            const page =
              screen.path === FIRST_LOOK_PATH
                ? fillFirstLook(shell, renderFirstLook(), findFirstLookScript(bundle), scripts, css)
                : preloadScreen(shell, scripts)
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
  /** The modules of the page and its layout, below `src/`. */
  readonly modules: readonly string[]
}

const SCREEN_LINE = /path: '(\/[\w-]*)',.* access: '(\w+)',.*import\('\.\.\/(pages\/\w+\.tsx)'\)/g

/** Reads the pages without parameters in their path from the router, which has one line for each. */
async function readScreens(): Promise<ScreenSource[]> {
  const router = await readFile(join(root, 'src/app/router.tsx'), 'utf8')
  const screens = [...router.matchAll(SCREEN_LINE)].map(([, path = '', access, page = '']) => ({
    path,
    modules: [
      access === 'user' || access === 'paid' ? 'app/layout/AppLayout.tsx' : 'app/layout/PublicLayout.tsx',
      page,
    ],
  }))
  const listed = router.match(/\{ path: '\/[\w-]*',/g)?.length
  if (screens.length !== listed)
    throw new Error(`router.tsx lists ${listed} screens, of which ${screens.length} match.`)
  return screens
}

/** Builds the program that renders the pages in Node, and loads it. */
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

/** Returns the chunks of modules, including those that they import. */
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

/**
 * The page is empty until the scripts are loaded, so nothing may compete with them. They fetch the fonts when they run.
 */
function preloadScreen(shell: string, scripts: readonly string[]): string {
  return addToHead(shell.replace(FONT, ''), preloads(scripts, shell))
}

/** Returns a page with the content that the program would show first. */
function fillPage(
  shell: string,
  { html, title }: { html: string; title: string },
  scripts: readonly string[],
  css: string,
): string {
  const page = shell.replace(/<title>[^<]*/, () => `<title>${title}`)
  return fillBody(page, `<div id="root">${html}</div>`, scripts, css)
}

/**
 * The page of the file manager shows what `src/first-look/` draws until the program is there. Fonts would take the line
 * from the program, and the program takes it from the list and the first pictures only once these are asked for.
 */
function fillFirstLook(shell: string, html: string, script: string, scripts: readonly string[], css: string): string {
  const body = `${html}<div id="root"></div><script src="/${script}"></script>`
  const styles = css.replace(/@font-face\{[^}]*url\([^}]*\}/g, '')
  const page = fillBody(shell.replace(FONT, ''), body, scripts, styles)
  return page.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"')
}

/** Inserts content into the body, its styles into the head, and what is needed later at the end. */
function fillBody(shell: string, html: string, scripts: readonly string[], css: string): string {
  const used = new Set([...html.matchAll(/ class="([^"]*)"/g)].flatMap(([, names = '']) => names.split(/\s+/)))
  const deferred: string[] = []
  const head = shell.replace(
    /\s*<(script type="module"|link rel="(modulepreload|stylesheet)")[^>]*>(<\/script>)?/g,
    (tag) => {
      deferred.push(tag.trim())
      return ''
    },
  )
  const styles = keepStyles(css, (name) => used.has(name))
  const isScript = (tag: string) => tag.startsWith('<script')
  const end = [
    ...deferred.filter((tag) => !isScript(tag)),
    preloads(scripts, shell),
    ...deferred.filter(isScript),
  ].join('')
  return addToHead(head, `<style>${styles}</style>`)
    .replace('<div id="root"></div>', () => html)
    .replace('</body>', () => `${end}</body>`)
}

function addToHead(page: string, tags: string): string {
  return page.replace('</head>', () => `${tags}</head>`)
}
