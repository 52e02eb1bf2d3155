import { expect, it } from 'vitest'
import { writeXml } from './write-xml.ts'

const contentOf = (text: string) => /<a>([\s\S]*)<\/a>/.exec(writeXml('a', text))?.[1]

it('writes objects, lists, numbers, booleans and null as Nextcloud does', () => {
  const value = { 'web-root': 'dav', list: ['a', 1], empty: [], yes: true, no: false, none: null, deep: { n: -0.5 } }
  expect(writeXml('ocs', value)).toBe(
    '<?xml version="1.0"?>\n<ocs><web-root>dav</web-root><list><element>a</element><element>1</element></list>' +
      '<empty></empty><yes>1</yes><no></no><none></none><deep><n>-0.5</n></deep></ocs>\n',
  )
})

it('escapes markup, so that a text can’t end its element', () => {
  expect(contentOf('</a><b c="1" d=\'2\'>&amp;]]>')).toBe(
    '&lt;/a&gt;&lt;b c=&quot;1&quot; d=&apos;2&apos;&gt;&amp;amp;]]&gt;',
  )
})

it('replaces characters that XML can’t contain, and keeps all others', () => {
  const control = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code)).join('')
  const expected = control.replace(/[^\t\n\r]/g, '\ufffd').replace('\r', '&#13;')
  expect(contentOf(control)).toBe(expected)
  expect(contentOf('a\ud800b\udc00c\ufffe\uffff')).toBe('a\ufffdb\ufffdc\ufffd\ufffd')
  expect(contentOf('é 😀 \u007f\u0085\u202e')).toBe('é 😀 \u007f\u0085\u202e')
})
