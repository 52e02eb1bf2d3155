import postcss, { type ChildNode, type Container, type Root } from 'postcss'

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

/** Whether all classes that a selector needs are used. Those that it excludes don't count. */
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
  // A name may also reach an animation through a variable.
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
