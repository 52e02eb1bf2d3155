import type { Element, Root, Text } from 'hast'
import { expect, test } from 'vitest'
import { labelTasks } from './MarkdownText.tsx'

const text = (value: string): Text => ({ type: 'text', value })
const element = (tagName: string, children: Element['children'], className?: string[]): Element => ({
  type: 'element',
  tagName,
  properties: className ? { className } : {},
  children,
})
const task = (...children: Element['children']) => element('li', children, ['task-list-item'])

test('labels the checkbox of a task with its text, without its subtasks', () => {
  const [outer, inner, loose] = [element('input', []), element('input', []), element('input', [])]
  const tree: Root = {
    type: 'root',
    children: [
      element('ul', [
        task(
          outer,
          text(' Call '),
          element('strong', [text('Ana')]),
          element('ul', [task(inner, text('\n at noon '))]),
        ),
        task(element('p', [loose, text(' Buy nails')])),
        element('li', [text('No task')]),
      ]),
    ],
  }
  labelTasks()(tree)
  expect([outer, inner, loose].map(({ properties }) => properties.ariaLabel)).toEqual([
    'Call Ana',
    'at noon',
    'Buy nails',
  ])
})
