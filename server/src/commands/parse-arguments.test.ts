import { describe, expect, it } from 'vitest'
import type { CommandLine } from './command.ts'
import { parseArguments } from './parse-arguments.ts'

const command: CommandLine = {
  name: 'import',
  parameters: ['EMAIL', 'FOLDER…'],
  options: { into: { value: 'PATH', summary: 'Where to' }, takeout: { summary: 'From Google' } },
  summary: 'Import',
}

describe('the arguments of a command', () => {
  it('are parameters and options in any order', () => {
    expect(parseArguments(command, ['a@example.com', '--into', 'Old', 'one', '--takeout', 'two'])).toEqual({
      values: ['a@example.com', 'one', 'two'],
      options: { into: 'Old', takeout: '' },
    })
    expect(parseArguments(command, ['a@example.com', '--into=-Old', '--', '--one'])).toEqual({
      values: ['a@example.com', '--one'],
      options: { into: '-Old' },
    })
  })

  it.each([
    [['a', '--into'], '--into needs a value.'],
    [['a', '--into', '--takeout'], '--into needs a value.'],
    [['a', 'b', '--takeout=yes'], '--takeout takes no value.'],
    [['a', 'b', '--tkaeout'], 'There is no option "tkaeout". Did you mean --takeout?'],
    [['a', 'b', '-x'], 'There is no option "x".'],
    [['a', 'b', '--__proto__'], 'There is no option "__proto__".'],
    [['a'], 'FOLDER is missing.'],
  ])('are refused with one line that says why: %j', (given, line) => {
    expect(() => parseArguments(command, given)).toThrow(line)
  })

  it('may leave out what is in brackets', () => {
    const optional = { ...command, parameters: ['EMAIL', '[NAME]'] }
    expect(parseArguments(optional, ['a']).values).toEqual(['a'])
    expect(parseArguments(optional, ['a', 'b']).values).toEqual(['a', 'b'])
    expect(() => parseArguments(optional, ['a', 'b', 'c'])).toThrow('"c" is one parameter too many.')
    expect(() => parseArguments(optional, [])).toThrow('EMAIL is missing.')
  })
})
