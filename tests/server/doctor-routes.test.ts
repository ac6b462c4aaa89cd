import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { DoctorReport, Finding } from '../../src-main/contract/doctor.ts'
import type { Service } from '../../src-main/service.ts'
import { callApi, noKeychain, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'

const FOLDER: Finding = { check: 'folder', state: 'ok', text: 'Yours alone.', advice: 'earmark doctor' }
const surroundings = {
  lookAtFolder: () => FOLDER,
  syncedBy: () => undefined,
  asTyped: (advice: string) => advice.replace('earmark', './earmark')
}

async function examine(service: Service): Promise<DoctorReport> {
  const response = await callApi(service, 'POST', '/doctor')
  expect(response.status).toBe(200)
  return (await response.json()) as DoctorReport
}

test('a library that is well is said to be, with all around it, and commands as they are typed here', async () => {
  const service = await testService({ surroundings })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  const { healthy, findings } = await examine(service)
  expect(healthy).toBe(true)
  expect(findings.map(({ check }) => check)).toEqual([
    'folder',
    'library',
    'integrity',
    'references',
    'index',
    'pictures',
    'log',
    'leftovers',
    'backups',
    'port',
    'keychain'
  ])
  expect(findings[0]).toEqual({ ...FOLDER, advice: './earmark doctor' })
  expect(findings.find(({ check }) => check === 'port')?.text).toBe('Earmark serves at http://127.0.0.1.')
  expect(findings.find(({ check }) => check === 'keychain')).toMatchObject({
    state: 'unknown',
    text: expect.stringContaining('there is none'),
    advice: expect.stringContaining('./earmark keys')
  })
})

test('a keychain that keeps secrets is said to', async () => {
  const { findings } = await examine(await testService({ keychain: { ...noKeychain, fault: async () => undefined } }))
  expect(findings.find(({ check }) => check === 'keychain')?.state).toBe('ok')
})

test('what is wrong is found while the library is open, told, and left as it is', async () => {
  const data = tempFolder()
  const service = await testService({ data, surroundings })
  await callApi(service, 'POST', '/bookmarks', { type: 'link', url: 'https://a.example/', tags: ['one'] })
  const db = new Sqlite(join(data, 'library.sqlite'))
  db.exec('DELETE FROM bookmark_texts WHERE rowid = 1')
  db.close()
  for (const { healthy, findings } of [await examine(service), await examine(service)]) {
    expect(healthy).toBe(false)
    expect(findings.find(({ check }) => check === 'index')).toMatchObject({ state: 'problem' })
  }
})
