import { dirname, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const home = dirname(fileURLToPath(import.meta.resolve('@alcove/contract/call'))) + sep
const SUFFIX = '?calls'

/**
 * SURPRISE: the built web has other modules than the sources say: the contract's calls without their schemas.
 * Measured: part of what brought the first load from 341 to 247 KB (docs/decisions/008-first-load.md).
 * Remove it when: zod's schemas no longer show in the first load.
 *
 * Builds the contract's calls into the web without their schemas. The browser needs only a call's method, path, access
 * and types, and TypeScript has already checked input and output. Other exports of such a module come from the module
 * itself. Those that need the schemas fail the build.
 */
export function contractCalls(): Plugin {
  return {
    name: 'contract-calls',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.startsWith('@alcove/contract/')) return null
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true })
      if (!resolved) return null
      return (await hasCalls(resolved.id)) ? { id: resolved.id + SUFFIX, moduleSideEffects: false } : resolved
    },
    async load(id) {
      if (!id.startsWith(home) || !id.endsWith(SUFFIX)) return null
      const path = id.slice(0, -SUFFIX.length)
      const lines = Object.entries(await importModule(path)).map(([name, value]) =>
        isCall(value)
          ? `export const ${name} = ${JSON.stringify(withoutSchemas(value))}`
          : `export { ${name} } from ${JSON.stringify(path)}`,
      )
      return { code: lines.join('\n'), moduleType: 'js' }
    },
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk' && Object.entries(chunk.modules).some(containsSchemas)) {
          this.error(`${chunk.fileName} contains zod. Move what the web needs to a module of the contract without it.`)
        }
      }
    },
  }
}

function containsSchemas([path, { renderedLength }]: [string, { renderedLength: number }]): boolean {
  return path.includes(`${sep}zod${sep}`) && renderedLength > 0
}

function importModule(path: string): Promise<Record<string, unknown>> {
  return import(pathToFileURL(path).href)
}

async function hasCalls(path: string): Promise<boolean> {
  return Object.values(await importModule(path)).some(isCall)
}

function isCall(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}

/** Returns what the web reads of a call. */
function withoutSchemas({ method, path, access }: Record<string, unknown>) {
  return { method, path, access }
}
