import type { CommandLine, PrintingCommand } from './command.ts'
import { UsageError } from './parse-arguments.ts'

/** A word that can follow, with its description. */
type Word = readonly [word: string, description: string]

/** What can follow some words of a command line. */
interface Following {
  /** `user`, or `backup` if it is a whole command. */
  readonly after: string
  readonly isCommand: boolean
  readonly words: readonly Word[]
  readonly paths: 'files' | 'folders' | 'none'
}

/** Parameters that are paths on this machine. `import` takes archives in place of folders. */
const [FOLDER, FILE] = [/^\[?(DIR|FOLDER)/, /^\[?(FILE|TARGET|FOLDER…)/]

/** Parameters with a few values. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  SHELL: ['bash', 'zsh', 'fish'],
  ROLE: ['admin', 'user'],
}

export const completion: PrintingCommand = {
  name: 'completion',
  parameters: ['SHELL'],
  summary: 'Print the script that completes commands in bash, zsh or fish',
  details: [
    'Load it in every shell that starts, for a command named alcove on the PATH:',
    '',
    '  bash  alcove completion bash > ~/.local/share/bash-completion/completions/alcove',
    '  zsh   alcove completion zsh > /usr/local/share/zsh/site-functions/_alcove',
    '  fish  alcove completion fish > ~/.config/fish/completions/alcove.fish',
  ],
  lines({ commands }, shell = '') {
    const write = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (!write) throw new UsageError(`There is no completion for "${shell}". SHELL is bash, zsh or fish.`)
    return write([...findGroups(commands), ...commands.map(describeCommand)])
  },
}

/** Returns the words that can begin a command, and those that can follow `user` and the like. */
function findGroups(commands: readonly CommandLine[]): Following[] {
  const groups = new Map<string, Word[]>([['', []]])
  for (const { name, summary } of commands) {
    const [first = '', second] = name.split(' ')
    const begun = groups.get('') ?? []
    if (second === undefined) begun.push([first, summary])
    else if (groups.has(first)) groups.get(first)?.push([second, summary])
    else {
      begun.push([first, `${first} …`])
      groups.set(first, [[second, summary]])
    }
  }
  return [...groups].map(([after, words]) => ({ after, isCommand: false, words, paths: 'none' }))
}

function describeCommand({ name, parameters, options = {} }: CommandLine): Following {
  const values = parameters.flatMap((parameter) => VALUES[parameter] ?? []).map((value): Word => [value, ''])
  const flags = Object.entries(options).map(([flag, { summary }]): Word => [`--${flag}`, summary])
  const isAnyPath = (kind: RegExp) => parameters.some((parameter) => kind.test(parameter))
  const paths = isAnyPath(FILE) ? 'files' : isAnyPath(FOLDER) ? 'folders' : 'none'
  return { after: name, isCommand: true, words: [...values, ...flags], paths }
}

/** The scripts complete without starting a program, which would take a second for each press of the Tab key. */
const scripts: Readonly<Record<string, (all: readonly Following[]) => string[]>> = {
  bash: (all) => [
    '# Completes the commands of Alcove in bash.',
    '_alcove() {',
    `  local cur="\${COMP_WORDS[COMP_CWORD]}" given="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words="" paths="" found`,
    `  given="\${given#help}"`,
    `  given="\${given# }"`,
    '  case "$given" in',
    ...all.map(({ after, isCommand, words, paths }) => {
      const pattern = isCommand ? `${quote(after)} | ${quote(`${after} `)}*` : quote(after)
      const compgen = { files: '-f', folders: '-d', none: '' }[paths]
      return `    ${pattern}) words=${quote(words.map(([word]) => word).join(' '))} paths=${quote(compgen)} ;;`
    }),
    '  esac',
    '  COMPREPLY=()',
    '  [ -n "$paths" ] && compopt -o filenames 2>/dev/null',
    '  while IFS= read -r found; do COMPREPLY+=("$found"); done < <(',
    '    compgen -W "$words" -- "$cur"',
    '    [ -n "$paths" ] && compgen "$paths" -- "$cur"',
    '  )',
    '}',
    'complete -F _alcove alcove',
  ],
  zsh: (all) => [
    '#compdef alcove',
    '# Completes the commands of Alcove in zsh.',
    '_alcove() {',
    `  local given="\${words[2,CURRENT-1]}"`,
    '  local -a found',
    `  given="\${given#help}"`,
    `  given="\${given# }"`,
    '  case "$given" in',
    ...all.map(({ after, isCommand, words, paths }) => {
      const pattern = isCommand ? `${quote(after)}|${quote(`${after} `)}*` : quote(after)
      const described = words.map(([word, text]) => quote(`${word}${text && `:${text.replaceAll(':', '\\:')}`}`))
      const files = { files: '; _files', folders: '; _files -/', none: '' }[paths]
      return `    ${pattern}) found=(${described.join(' ')})${files} ;;`
    }),
    '  esac',
    '  (( $#found )) && _describe command found',
    '}',
    'if [ "$funcstack[1]" = "_alcove" ]; then _alcove "$@"; else compdef _alcove alcove; fi',
  ],
  fish: (all) => [
    '# Completes the commands of Alcove in fish.',
    'function __alcove_after',
    '  set -l given (commandline -opc)',
    '  set -e given[1]',
    '  if test "$given[1]" = help',
    '    set -e given[1]',
    '  end',
    '  test "$given" = "$argv[1]"; or begin',
    '    test "$argv[2]" = command; and string match -q -- "$argv[1] *" "$given"',
    '  end',
    'end',
    'complete -c alcove -f',
    ...all.flatMap(({ after, isCommand, words, paths }) => {
      const condition = `-n ${quote(`__alcove_after "${after}"${isCommand ? ' command' : ''}`)}`
      const lines = words.map(([word, text]) => {
        const flag = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${quote(word)}`
        return `complete -c alcove ${condition} ${flag}${text && ` -d ${quote(text)}`}`
      })
      if (paths === 'files') lines.push(`complete -c alcove ${condition} -F`)
      if (paths === 'folders') lines.push(`complete -c alcove ${condition} -a '(__fish_complete_directories)'`)
      return lines
    }),
  ],
}

/** Quotes a text for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
