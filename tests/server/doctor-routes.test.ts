import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { DoctorReport, Finding } from '../../src-main/contract/doctor.ts'
import type { Service } from '../../src-main/service.ts'
import { noKeychain, testService } from '../support/service.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { apiOf } from './api.ts'

const FOLDER: Finding = { check: 'folder', state: 'ok', text: 'Yours alone.', advice: 'earmark doctor' }
const surroundings = {
  checkFolder: () => FOLDER,
  syncedBy: () => undefined,
  asTyped: (advice: string) => advice.replace('earmark', './earmark'),
  lastErrors: () => []
}

async function examine(service: Service): Promise<DoctorReport> {
  const { status, body } = await apiOf(service)('POST', '/doctor')
  expect(status).toBe(200)
  return body
}

test('a healthy library gets a healthy report of all checks, with commands as typed in this installation', async () => {
  const service = await testService({ surroundings })
  await apiOf(service)('POST', '/bookmarks', { type: 'link', url: 'https://a.example/' })
  const { healthy, findings } = await examine(service)
  expect(healthy).toBe(true)
  expect(findings.map(({ check }) => check)).toEqual([
    'folder',
    'library',
    'integrity',
    'references',
    'index',
    'pictures',
    'copies',
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

test('a working keychain is reported as ok', async () => {
  const { findings } = await examine(await testService({ keychain: { ...noKeychain, fault: async () => undefined } }))
  expect(findings.find(({ check }) => check === 'keychain')?.state).toBe('ok')
})

test('a fault is found while the library is open, reported, and not repaired', async () => {
  const data = tempFolder()
  const service = await testService({ data, surroundings })
  await apiOf(service)('POST', '/bookmarks', { type: 'link', url: 'https://a.example/', tags: ['one'] })
  const db = new Sqlite(join(data, 'library.sqlite'))
  db.exec('DELETE FROM bookmark_texts WHERE rowid = 1')
  db.close()
  for (const { healthy, findings } of [await examine(service), await examine(service)]) {
    expect(healthy).toBe(false)
    expect(findings.find(({ check }) => check === 'index')).toMatchObject({ state: 'problem' })
  }
})
