import { expect, it } from 'vitest'
import { plainLines, toTokenLines } from './token-lines.ts'

it('splits highlighted code into lines, even within a token', () => {
  const comment = {
    type: 'element',
    properties: { className: ['hljs-comment'] },
    children: [{ type: 'text', value: '/* a\nb */' }],
  }
  const root = { type: 'root', children: [{ type: 'text', value: 'x ' }, comment, { type: 'text', value: '\n' }] }
  expect(toTokenLines(root)).toEqual([
    [{ text: 'x ' }, { text: '/* a', kind: 'hljs-comment' }],
    [{ text: 'b */', kind: 'hljs-comment' }],
    [],
  ])
})

it('keeps the empty lines of plain text', () => {
  expect(plainLines('a\n\nb')).toEqual([[{ text: 'a' }], [], [{ text: 'b' }]])
})
