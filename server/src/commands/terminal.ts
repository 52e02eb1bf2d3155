import { styleText } from 'node:util'
import { escapeControls } from '../platform/escape-controls.ts'

/** The last line of a terminal, which is redrawn in place. */
export interface StatusLine {
  /** How many characters fit into it. */
  readonly columns: number
  /** Replaces the line. The next line that is printed replaces it too. */
  show(line: string): void
}

/** A mark before a line, coloured on a terminal. Lines themselves have no colours, because they contain texts of users. */
export interface Sign {
  readonly text: string
  readonly color: 'green' | 'yellow' | 'red' | 'gray'
}

/** Where a command prints. */
export interface Output {
  /** Prints a line of the result, after a sign if there is one. */
  print(line: string, sign?: Sign): void
  /** Prints an error or a line about the progress to standard error. */
  printError(text: string): void
  /** Undefined unless standard error is a terminal. */
  readonly status?: StatusLine | undefined
}

type Stream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>

const CLEAR_LINE = '\r\u001b[2K'
const DEFAULT_COLUMNS = 80

/** Prints to standard output and error. Control characters in the texts of users become visible. */
export function openOutput(stdout: Stream = process.stdout, stderr: Stream = process.stderr): Output {
  let isStatusShown = false
  function clearStatus(): void {
    if (isStatusShown) stderr.write(CLEAR_LINE)
    isStatusShown = false
  }
  return {
    print(line, sign) {
      clearStatus()
      const mark = sign ? `${styleText(sign.color, sign.text, { stream: stdout as NodeJS.WriteStream })} ` : ''
      stdout.write(`${mark}${escapeControls(line)}\n`)
    },
    printError(text) {
      clearStatus()
      // The stack of an unexpected error has several lines.
      stderr.write(`${text.split('\n').map(escapeControls).join('\n')}\n`)
    },
    status: stderr.isTTY
      ? {
          get columns() {
            return stderr.columns || DEFAULT_COLUMNS
          },
          show(line) {
            stderr.write(`${CLEAR_LINE}${escapeControls(line)}`)
            isStatusShown = true
          },
        }
      : undefined,
  }
}
