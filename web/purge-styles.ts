import { createHash } from 'node:crypto'
import postcss, { type ChildNode, type Container, type Root } from 'postcss'
import type { Plugin } from 'vite'

/** The class names of Mantine's components. Its scripts contain them literally. */
const MANTINE_CLASS = /^m_[0-9a-f]+$/

/**
 * Removes the rules for Mantine's components that no script of ours contains from the style sheet.
 *
 * SURPRISE: it edits the built style sheet by class names. Mantine has one style sheet for all its components.
 * Measured: two thirds of the style sheet.
 * Remove it when: Mantine's styles can be imported for each component without changing the order of our rules.
 */
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

/** Returns the style sheet without the rules that need a class for which `isUsed` is false. */
export function keepStyles(css: string, isUsed: (className: string) => boolean): string {
  const root = postcss.parse(css)
  root.walkRules((rule) => {
    if (rule.parent?.type === 'atrule' && 'name' in rule.parent && /keyframes$/.test(String(rule.parent.name))) return
    const kept = rule.selectors.filter((selector) => canMatch(selector, isUsed))
    if (kept.length === 0) rule.remove()
    else if (kept.length < rule.selectors.length) rule.selectors = kept
  })
  dropUnusedKeyframes(root)
  dropEmpty(root)
  return root.toString()
}

const INNERMOST = /:(is|where|not|has|host|matches)\(([^()]*)\)/
const CLASS = /\.(-?[_a-zA-Z](?:[\w-]|\\.)*)/g

/** Returns whether all classes that a selector needs are used. Classes in `:not()` don't count. */
function canMatch(selector: string, isUsed: (className: string) => boolean): boolean {
  let rest = selector.replace(/\[[^\]]*\]/g, '')
  for (let group = INNERMOST.exec(rest); group; group = INNERMOST.exec(rest)) {
    const [whole, kind, content = ''] = group
    const isPossible = kind === 'not' || content.split(',').some((alternative) => classesUsed(alternative, isUsed))
    if (!isPossible) return false
    rest = rest.replace(whole, '')
  }
  return classesUsed(rest, isUsed)
}

function classesUsed(selector: string, isUsed: (className: string) => boolean): boolean {
  return [...selector.matchAll(CLASS)].every(([, name = '']) => isUsed(name.replaceAll('\\', '')))
}

function dropUnusedKeyframes(root: Root): void {
  let text = ''
  root.walkDecls(/^(-\w+-)?animation/, (declaration) => {
    text += ` ${declaration.value}`
  })
  // An animation may also take its name from a custom property.
  root.walkDecls(/^--/, (declaration) => {
    text += ` ${declaration.value}`
  })
  root.walkAtRules(/keyframes$/, (rule) => {
    if (!text.includes(rule.params)) rule.remove()
  })
}

function dropEmpty(container: Container<ChildNode>): void {
  container.each((node) => {
    if (!('nodes' in node) || node.nodes === undefined) return
    dropEmpty(node as Container<ChildNode>)
    if (node.nodes.length === 0 && node.type !== 'root') node.remove()
  })
}
