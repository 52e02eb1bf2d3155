import { globSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'

/** Returns whether a file is only used by tests. */
export const isTest = (path) => /\.(test|suite)\.tsx?$|\/testing\//.test(path)

/**
 * Reads which source files import which, by relative imports and re-exports.
 * @param {string} pattern a glob of TypeScript files, relative to the working directory
 * @returns {Map<string, string[]>} the imported paths of each file
 */
export function readImports(pattern) {
  const files = globSync(pattern, { exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path) })
  return new Map(
    files.sort().map((file) => {
      const specifiers = readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport\(|\bnew URL\()\s*'(\.[^']+)'/g)
      return [file, [...specifiers].map(([, path]) => posix.join(dirname(file), path))]
    }),
  )
}
