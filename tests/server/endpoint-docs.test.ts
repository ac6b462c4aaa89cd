import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { makeKey, testService } from '../support/service.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/endpoint.md'), 'utf8')

test('the endpoint answers as its reference page says', async () => {
  const service = await testService({ version: manifest.version })
  const key = await makeKey(service)
  const examples = [...page.matchAll(/```sh\ncall '(.*)'\n```\n```json\n(.*)\n```/g)]
  expect(examples.length).toBeGreaterThan(6)
  for (const [, body = '', answer = ''] of examples) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const response = await service.fetch(
      new Request('http://127.0.0.1/api/tools/mcp', { method: 'POST', headers, body })
    )
    expect(withoutIds(await response.text())).toBe(withoutIds(answer))
  }
})

/** Ids and times differ from run to run. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/\\"id\\":\\"[\w-]{16}\\"/g, 'an id')
    .replaceAll(/\\"createdAt\\":\\"[\d-]{10}T[\d:.]{12}Z\\"/g, 'a time')
}
