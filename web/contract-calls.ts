import { dirname, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

const home = dirname(fileURLToPath(import.meta.resolve('@alcove/contract/call'))) + sep
const SUFFIX = '?calls'

/**
 * Builds the contract's calls into the web without their schemas: the browser needs a call's method, path and access,
 * and TypeScript has held input and answer to the schemas by then. What else such a module exports comes from the
 * module itself, and with it the schemas, so that the first screens should not use it.
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
  }
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

function withoutSchemas({ method, path, access, status, sends, responses }: Record<string, unknown>) {
  return { method, path, access, status, sends, responses }
}
