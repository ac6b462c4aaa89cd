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

const NO_RESOURCES = 'Earmark has no resources, and does not say it has'
const NO_PROMPTS = 'Earmark has no prompts, and does not say it has'
const NO_COMPLETION = 'Earmark completes no arguments, and does not say it does'
const NO_STREAM = 'Earmark answers with one JSON object, never a stream, and asks nothing of the client'
const NO_TASKS = 'tasks are an extension that Earmark does not offer'
const NO_NEEDS = 'no tool of Earmark needs a capability of the client'
const NO_PARAM_HEADERS = 'no tool of Earmark asks for its arguments as headers'
const TEXT_ONLY = 'a tool of Earmark answers with one text'

/** What the suite asks for and Earmark does not do, by check id. A check that begins to pass must leave this list. */
const EXPECTED = {
  '2025-11-25': {
    'completion-complete': NO_COMPLETION,
    'elicitation-sep1034-general': NO_STREAM,
    'elicitation-sep1330-general': NO_STREAM,
    'logging-set-level': NO_STREAM,
    'prompts-get-embedded-resource': NO_PROMPTS,
    'prompts-get-simple': NO_PROMPTS,
    'prompts-get-with-args': NO_PROMPTS,
    'prompts-get-with-image': NO_PROMPTS,
    'prompts-list': NO_PROMPTS,
    'resources-list': NO_RESOURCES,
    'resources-read-binary': NO_RESOURCES,
    'resources-read-text': NO_RESOURCES,
    'resources-subscribe': NO_RESOURCES,
    'resources-templates-read': NO_RESOURCES,
    'resources-unsubscribe': NO_RESOURCES,
    'tools-call-audio': TEXT_ONLY,
    'tools-call-elicitation': NO_STREAM,
    'tools-call-embedded-resource': TEXT_ONLY,
    'tools-call-image': TEXT_ONLY,
    'tools-call-mixed-content': TEXT_ONLY,
    'tools-call-sampling': NO_STREAM,
    'tools-call-with-logging': NO_STREAM,
    'tools-call-with-progress': NO_STREAM
  },
  '2026-07-28': {
    'completion-complete': NO_COMPLETION,
    'prompts-get-embedded-resource': NO_PROMPTS,
    'prompts-get-simple': NO_PROMPTS,
    'prompts-get-with-args': NO_PROMPTS,
    'prompts-get-with-image': NO_PROMPTS,
    'prompts-list': NO_PROMPTS,
    'resources-list': NO_RESOURCES,
    'resources-read-binary': NO_RESOURCES,
    'resources-read-text': NO_RESOURCES,
    'resources-templates-read': NO_RESOURCES,
    'sep-2243-server-decode-base64': NO_PARAM_HEADERS,
    'sep-2243-server-no-xmcp-tool': NO_PARAM_HEADERS,
    'sep-2243-server-reject-invalid-param-chars': NO_PARAM_HEADERS,
    'sep-2243-server-reject-param-mismatch': NO_PARAM_HEADERS,
    'sep-2243-server-validate-param-match': NO_PARAM_HEADERS,
    'sep-2322-elicitation-incomplete': NO_STREAM,
    'sep-2322-list-roots-incomplete': NO_STREAM,
    'sep-2322-multi-round-r1': NO_STREAM,
    'sep-2322-multiple-inputs-incomplete': NO_STREAM,
    'sep-2322-non-tool-incomplete': NO_STREAM,
    'sep-2322-reject-tampered-state': NO_STREAM,
    'sep-2322-request-state-incomplete': NO_STREAM,
    'sep-2322-respect-client-capabilities': NO_STREAM,
    'sep-2322-result-type-included': NO_STREAM,
    'sep-2322-sampling-incomplete': NO_STREAM,
    'sep-2549-prompts-list-caching-hints': NO_PROMPTS,
    'sep-2549-resources-list-caching-hints': NO_RESOURCES,
    'sep-2549-resources-templates-list-caching-hints': NO_RESOURCES,
    'sep-2575-http-server-no-independent-requests-on-stream': NO_STREAM,
    'sep-2575-missing-capability-http-400': NO_NEEDS,
    'sep-2575-server-rejects-undeclared-capability': NO_NEEDS,
    'sep-2663-cancel-ack-empty-result': NO_TASKS,
    'sep-2663-durable-create-strong-consistency': NO_TASKS,
    'sep-2663-legacy-task-param-ignored': NO_TASKS,
    'sep-2663-mrtr-synchronous-before-task-creation': NO_TASKS,
    'sep-2663-result-type-task-on-create': NO_TASKS,
    'sep-2663-routing-headers-accepted-on-tasks-get': NO_TASKS,
    'sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get': NO_TASKS,
    'sep-2663-server-rejects-undeclared-client': NO_TASKS,
    'sep-2663-server-returns-missing-capability-when-required': NO_TASKS,
    'sep-2663-tasks-get-invalid-task-id-32602': NO_TASKS,
    'sep-2663-tasks-get-status-completed': NO_TASKS,
    'sep-2663-tasks-get-status-failed': NO_TASKS,
    'sep-2663-tasks-get-status-input-required': NO_TASKS,
    'sep-2663-tasks-get-status-working': NO_TASKS,
    'sep-2663-tasks-methods-non-declaring': NO_TASKS,
    'sep-2663-tool-error-uses-completed-status': NO_TASKS,
    'tasks-cancel-terminal-idempotent-ack': NO_TASKS,
    'tasks-extension-advertised': NO_TASKS,
    'tasks-headers-tolerate-mcp-method-on-tools-call': NO_TASKS,
    'tasks-immediate-result-shortcut': NO_TASKS,
    'tasks-mrtr-partial-fulfillment': NO_TASKS,
    'tasks-mrtr-tasks-update-resumes': NO_TASKS,
    'tasks-no-early-ttl-expiry': NO_TASKS,
    'tasks-no-related-task-meta-on-inlined-result': NO_TASKS,
    'tasks-per-request-meta-opt-in': NO_TASKS,
    'tasks-request-state-removal-setup': NO_TASKS,
    'tasks-result-type-complete-on-non-task-responses': NO_TASKS,
    'tasks-server-directed-creation-no-hint': NO_TASKS,
    'tasks-sync-tool-call': NO_TASKS,
    'tasks-wire-field-renames': NO_TASKS,
    'tools-call-audio': TEXT_ONLY,
    'tools-call-embedded-resource': TEXT_ONLY,
    'tools-call-image': TEXT_ONLY,
    'tools-call-mixed-content': TEXT_ONLY,
    'tools-call-with-progress': NO_STREAM
  }
}

/** What must pass, so that a suite that stopped looking is noticed. */
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
  'the conformance suite for %s finds nothing but what is expected',
  async (revision, expected) => {
    const checks = await runSuite(revision)
    const failed = [...new Set(checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => id))].sort()
    expect(failed).toEqual(Object.keys(expected).sort())
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
