import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformanceTools, startKeyProxy } from '../support/mcp-server.ts'
import { makeKey, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const ROOT = join(import.meta.dirname, '../..')
const SUITE = join(ROOT, 'tests/node_modules/@modelcontextprotocol/conformance/dist/index.js')

/**
 * Checks that fail because Earmark does not offer the feature: it has no resources, prompts, completion, logging or tasks,
 * its tools return one text without a stream, ask nothing of the client and take no arguments as headers. A check that
 * passes must leave this list.
 */
const EXPECTED = {
  '2025-11-25': `
    completion-complete
    elicitation-sep1034-general elicitation-sep1330-general logging-set-level tools-call-elicitation
    tools-call-sampling tools-call-with-logging tools-call-with-progress
    prompts-get-embedded-resource prompts-get-simple prompts-get-with-args prompts-get-with-image
    resources-read-binary resources-read-text resources-subscribe resources-templates-read resources-unsubscribe
    tools-call-audio tools-call-embedded-resource tools-call-image tools-call-mixed-content
  `,
  '2026-07-28': `
    completion-complete
    prompts-get-embedded-resource prompts-get-simple prompts-get-with-args prompts-get-with-image prompts-list
    sep-2549-prompts-list-caching-hints
    resources-list resources-read-binary resources-read-text resources-templates-read
    sep-2549-resources-list-caching-hints sep-2549-resources-templates-list-caching-hints
    sep-2243-server-decode-base64 sep-2243-server-no-xmcp-tool sep-2243-server-reject-invalid-param-chars
    sep-2243-server-reject-param-mismatch sep-2243-server-validate-param-match
    sep-2322-elicitation-incomplete sep-2322-list-roots-incomplete sep-2322-multi-round-r1
    sep-2322-multiple-inputs-incomplete sep-2322-non-tool-incomplete sep-2322-reject-tampered-state
    sep-2322-request-state-incomplete sep-2322-respect-client-capabilities sep-2322-result-type-included
    sep-2322-sampling-incomplete sep-2575-http-server-no-independent-requests-on-stream tools-call-with-progress
    sep-2575-missing-capability-http-400 sep-2575-server-rejects-undeclared-capability
    sep-2663-cancel-ack-empty-result sep-2663-durable-create-strong-consistency sep-2663-legacy-task-param-ignored
    sep-2663-mrtr-synchronous-before-task-creation sep-2663-result-type-task-on-create
    sep-2663-routing-headers-accepted-on-tasks-get sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get
    sep-2663-server-rejects-undeclared-client sep-2663-server-returns-missing-capability-when-required
    sep-2663-tasks-get-invalid-task-id-32602 sep-2663-tasks-get-status-completed sep-2663-tasks-get-status-failed
    sep-2663-tasks-get-status-input-required sep-2663-tasks-get-status-working sep-2663-tasks-methods-non-declaring
    sep-2663-tool-error-uses-completed-status tasks-cancel-terminal-idempotent-ack tasks-extension-advertised
    tasks-headers-tolerate-mcp-method-on-tools-call tasks-immediate-result-shortcut tasks-mrtr-partial-fulfillment
    tasks-mrtr-tasks-update-resumes tasks-no-early-ttl-expiry tasks-no-related-task-meta-on-inlined-result
    tasks-per-request-meta-opt-in tasks-request-state-removal-setup tasks-result-type-complete-on-non-task-responses
    tasks-server-directed-creation-no-hint tasks-sync-tool-call tasks-wire-field-renames
    tools-call-audio tools-call-embedded-resource tools-call-image tools-call-mixed-content
  `
}

/** Checks that must pass, so that a suite that checks nothing is noticed. */
const NEEDED = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'tools-name-format',
    'tools-call-simple-text',
    'tools-call-error',
    'localhost-host-rebinding-rejected',
    'localhost-host-valid-accepted',
    'wire-schema-valid'
  ],
  '2026-07-28': [
    'sep-2575-server-implements-discover',
    'sep-2575-server-identifies-in-result-meta',
    'sep-2575-server-unsupported-version-error',
    'sep-2575-http-server-header-mismatch-400',
    'sep-2575-http-server-meta-invalid-400',
    'sep-2243-server-reject-invalid-headers',
    'sep-2243-server-accepts-whitespace-header-value',
    'sep-2549-tools-list-caching-hints',
    'tools-list',
    'tools-list-deterministic-order',
    'tools-call-simple-text',
    'tools-call-error',
    'json-schema-2020-12-tool-found',
    'localhost-host-rebinding-rejected',
    'wire-schema-valid'
  ]
}

test.each(Object.entries(EXPECTED))(
  'of the conformance suite for %s only the expected checks fail',
  async (revision, expected) => {
    const checks = await runSuite(revision)
    const failed = [...new Set(checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id))].sort()
    expect(failed).toEqual(expected.trim().split(/\s+/).sort())
    const passed = new Set(checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id))
    for (const id of NEEDED[revision as keyof typeof EXPECTED]) expect(passed).toContain(id)
  },
  120_000
)

interface Check {
  id: string
  status: string
}

async function runSuite(revision: string): Promise<Check[]> {
  const service = await testService({ tools: conformanceTools })
  const key = await makeKey(service)
  const proxy = await startKeyProxy((await service.listen(0)).port, key)
  const output = tempFolder()
  const url = `http://127.0.0.1:${proxy.port}/api/tools/mcp`
  const args = [SUITE, 'server', '--url', url, '--requirements', revision, '--output-dir', output]
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  await once(child, 'close')
  proxy.close()
  return readdirSync(output).flatMap((folder) => JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8')))
}
