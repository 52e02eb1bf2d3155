import { createHash } from 'node:crypto'
import type { Plugin } from 'vite'
import { keepStyles } from './css-in-use.ts'

/** How Mantine names the classes of its components; they stand in its scripts as they are. */
const MANTINE_CLASS = /^m_[0-9a-f]+$/

/** Takes the rules for components of Mantine that no script of ours contains out of the style sheet: two thirds of it. */
export function purgeStyles(): Plugin {
  return {
    name: 'purge-styles',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle)
        const scripts = outputs.map((output) => (output.type === 'chunk' ? output.code : '')).join('\n')
        for (const output of outputs) {
          if (output.type !== 'asset' || !output.fileName.endsWith('.css')) continue
          const css = keepStyles(String(output.source), (name) => !MANTINE_CLASS.test(name) || scripts.includes(name))
          const digest = createHash('sha256').update(css).digest('base64url').slice(0, 8)
          const fileName = output.fileName.replace(/-[^-./]{8}\.css$/, `-${digest}.css`)
          delete bundle[output.fileName]
          this.emitFile({ type: 'asset', fileName, source: css })
          for (const page of outputs) {
            if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
            page.source = String(page.source).replaceAll(output.fileName, fileName)
          }
          if (scripts.includes(output.fileName)) throw new Error(`${output.fileName} is named by a script.`)
        }
      },
    },
  }
}
