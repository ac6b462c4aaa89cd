import { expect, onTestFinished, test } from 'vitest'
import { findNewestVersion } from '../../src-main/actions/doctor.ts'
import type { Ports } from '../../src-main/actions/ports.ts'
import { internet } from '../../src-main/web/internet.ts'
import { page, startTestWeb, testDecoder } from '../support/test-web.ts'

const SITE = 'http://earmark.example/'
const HELP = `You find the newest version at ${SITE}.`

/** Reads the newest version from a site with this answer. */
async function ask(version: string, text: string, type = 'text/plain') {
  const answer = page(text, { 'content-type': type })
  const { wire, asked: requested } = await startTestWeb((target) =>
    target === 'earmark.example/latest.txt' ? answer : undefined
  )
  const web = internet({ version, wire, decoder: testDecoder() })
  onTestFinished(() => web.close())
  const answered = await findNewestVersion({ web } as Ports, version, SITE).catch((error) => error)
  // For a web page, which the answer should not be, the icon is fetched too.
  expect(requested.filter((target) => target !== 'earmark.example/favicon.ico')).toEqual(['earmark.example/latest.txt'])
  return answered
}

test.for([
  ['0.1.0', '0.2.0', true],
  ['0.9.0', '0.10.0', true],
  ['0.2.0', '0.2.0', false],
  ['1.0.0', '0.9.9', false]
] as const)('for the version %s and the newest %s, isNewer is %s', async ([version, newest, isNewer]) => {
  expect(await ask(version, `${newest}\n`)).toEqual({ newest, isNewer, site: SITE })
})

test.for([
  ['<title>Parked</title>', 'text/html'],
  ['a page about 1.2.3', 'text/plain'],
  ['', 'text/plain']
] as const)('the text %j is not read as a version', async ([text, type]) => {
  expect(await ask('0.1.0', text, type)).toMatchObject({
    code: 'service-unreachable',
    message: `Earmark could not read the newest version. Try again later. ${HELP}`
  })
})

test('without a network, and with --no-fetch, nothing is requested and the reason is given', async () => {
  const readPage = () => Promise.reject(new Error('nobody is to be asked'))
  const offline = { web: { readPage, isConnected: () => false } } as unknown as Ports
  await expect(findNewestVersion(offline, '0.1.0', SITE)).rejects.toThrow('This computer has no network connection.')
  await expect(findNewestVersion({} as Ports, '0.1.0', SITE)).rejects.toThrow(
    `--no-fetch, so it does not connect to other computers. ${HELP}`
  )
})
