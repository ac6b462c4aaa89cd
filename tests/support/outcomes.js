// What Vitest and Playwright report of each test, in one form.
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '../..')

/**
 * One test, and why it failed the first time. A test file that its process died in is `crashed`.
 *
 * @typedef {{ name: string, state: 'passed' | 'failed' | 'skipped' | 'crashed', error: string | undefined }} Outcome
 */

/**
 * @param {any} report Vitest's
 * @returns {Outcome[]}
 */
export function vitestOutcomes({ testResults }) {
  return testResults.flatMap((/** @type {any} */ file) => {
    const name = relative(root, file.name)
    const failed = file.assertionResults.some((/** @type {any} */ test) => test.status === 'failed')
    if (file.status === 'failed' && !failed) {
      // A file that could not be loaded says why; one whose process died has tests that never ended, and no words.
      const state = file.message ? 'failed' : 'crashed'
      return [{ name, state, error: firstLines(file.message) ?? 'its process died; see above' }]
    }
    return file.assertionResults.map((/** @type {any} */ test) => ({
      name: `${name} › ${test.fullName}`,
      state: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
      error: firstLines(test.failureMessages[0])
    }))
  })
}

/**
 * @param {any} report Playwright's
 * @returns {Outcome[]}
 */
export function playwrightOutcomes({ suites, errors }) {
  const specs = (/** @type {any} */ suite) => [...suite.specs, ...(suite.suites ?? []).flatMap(specs)]
  const tests = suites.flatMap(specs).flatMap((/** @type {any} */ spec) =>
    spec.tests.map((/** @type {any} */ test) => ({
      name: `tests/e2e/${spec.file}:${spec.line} › ${spec.title}`,
      state: test.status === 'skipped' ? 'skipped' : test.status === 'unexpected' ? 'failed' : 'passed',
      error: firstLines(test.results.find((/** @type {any} */ result) => result.error)?.error.message)
    }))
  )
  const besides = errors.map((/** @type {any} */ error) => ({
    name: 'Playwright, outside of any test',
    state: 'failed',
    error: firstLines(error.message)
  }))
  return [...tests, ...besides]
}

/** @param {string | undefined} text */
function firstLines(text) {
  return text ? stripVTControlCharacters(text).split('\n').slice(0, 8).join('\n') : undefined
}
