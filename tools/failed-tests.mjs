import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Lines shown of each message: enough for what was expected, what was found, and where. */
const LINES = 12

/** Returns a paragraph for each failure in the JSON report of Vitest. Tests of a file that fail with the same error share one. */
export function failedInVitest({ testResults }, root) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    // A file that could not be loaded has no tests.
    if (failed.length === 0) return status === 'failed' ? [paragraph(file, [message])] : []
    const errors = [...new Set(failed.map(errorOf))]
    return errors.map((error) => {
      const [first, ...others] = failed.filter((test) => errorOf(test) === error)
      const more = others.length > 0 ? ` (and ${others.length} more in this file)` : ''
      return paragraph(`${file} › ${first.fullName}${more}`, first.failureMessages)
    })
  })
}

function errorOf({ failureMessages }) {
  return failureMessages.join('\n')
}

/** Returns the same for the report of Playwright, with every error, since one may follow from another. */
export function failedInPlaywright({ suites, errors }) {
  const failed = suites.flatMap(specsIn).filter(({ ok }) => !ok)
  return [
    ...failed.map(({ file, line, title, tests }) => {
      const results = tests.flatMap((test) => test.results)
      const messages = results.flatMap((result) => result.errors.map((error) => `${at(error)}${error.message}`))
      return paragraph(`${file}:${line} › ${title}`, messages)
    }),
    ...errors.map((error) => paragraph('outside of any test', [`${at(error)}${error.message}`])),
  ]
}

function specsIn({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsIn)]
}

function at({ location }) {
  return location ? `line ${location.line}: ` : ''
}

function paragraph(title, messages) {
  const shown = messages.map((message) => stripVTControlCharacters(message).trim().split('\n').slice(0, LINES))
  return [title, ...shown.flat().map((line) => `    ${line}`)].join('\n')
}
