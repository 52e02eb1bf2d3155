import type { Plugin } from 'vite'

/** Parts of Mantine's components that nothing here uses. The components import them, so the bundler can't leave them out. */
const UNUSED = [
  ...['Menu.Sub', 'Menu.Search', 'Menu.CheckboxGroup', 'Menu.CheckboxItem', 'Menu.ContextMenu', 'Popover.ContextMenu'],
  ...['Button.Group', 'Button.GroupSection', 'ActionIcon.Group', 'ActionIcon.GroupSection'],
]
const parts = UNUSED.join('|').replaceAll('.', '\\.')
/** How a part is used in our sources, and in the modules of Mantine. */
const usePattern = new RegExp(`(?:<|\\bjsxs?\\(|\\bcreateElement\\()(${parts})\\b`)

/** Returns the file of a part: `Menu.Search` is in `components/Menu/MenuSearch/MenuSearch.mjs`. */
function fileOf(part: string): string {
  const name = part.replace('.', '')
  return `/@mantine/core/esm/components/${part.split('.')[0]}/${name}/${name}.mjs`
}

const nameByFile = new Map(UNUSED.map((part) => [fileOf(part), part.replace('.', '')]))

/**
 * SURPRISE: the built web has other modules than Mantine: parts of its components are undefined.
 * Measured: 6.9 of the 248 KB of JavaScript that the file manager starts with (gzip).
 * Remove it when: the bundler drops what is assigned to a component but never read, or Mantine no longer assigns it.
 *
 * The build fails if one of the parts is used after all, also by another component of Mantine, or if Mantine has moved it.
 */
export function unusedParts(): Plugin {
  const missing = new Set(nameByFile.keys())
  return {
    name: 'unused-parts',
    apply: 'build',
    enforce: 'pre',
    load: {
      filter: { id: /\/@mantine\/core\/esm\/components\/.*\.mjs$/ },
      handler(id) {
        const file = id.slice(id.indexOf('/@mantine/'))
        const name = nameByFile.get(file)
        if (!name) return
        missing.delete(file)
        return `export const ${name} = undefined`
      },
    },
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx$|\/@mantine\/.*\.mjs$/ },
      handler(code, id) {
        const used = usePattern.exec(code)?.[1]
        if (used) this.error(`${id} uses ${used}. Remove it from the list in unused-parts.ts.`)
      },
    },
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`unused-parts.ts: Mantine has no ${[...missing].join(' ')} any more.`)
    },
  }
}
