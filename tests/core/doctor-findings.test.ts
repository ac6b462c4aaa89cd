import { expect, test } from 'vitest'
import { syncedBy } from '../../src-main/core/doctor-findings.ts'

const nowhere = () => false

test.for([
  ['/home/ann/Dropbox/earmark', 'Dropbox'],
  ['/home/ann/Dropbox (Work)/a/b', 'Dropbox'],
  ['C:\\Users\\Ann\\OneDrive\\earmark', 'OneDrive'],
  ['C:\\Users\\Ann\\OneDrive - Acme Ltd\\Documents\\earmark', 'OneDrive'],
  ['/Users/ann/Library/Mobile Documents/com~apple~CloudDocs/earmark', 'iCloud Drive'],
  ['/Users/ann/Library/CloudStorage/GoogleDrive-ann@a.example/My Drive/earmark', 'Google Drive'],
  ['/Users/ann/Library/CloudStorage/Dropbox-Acme/earmark', 'Dropbox'],
  ['/Users/ann/Library/CloudStorage/Box-Box/earmark', 'Box'],
  ['/home/ann/Nextcloud/earmark', 'Nextcloud'],
  ['/home/ann/.local/share/earmark', undefined],
  ['/home/dropboxer/onedrives/earmark', undefined],
  ['C:\\Users\\Ann\\AppData\\Roaming\\earmark', undefined]
] as const)('%s is synced by %s', ([folder, program]) => {
  expect(syncedBy(folder, nowhere)).toBe(program)
})

test('a marker file in a parent folder shows which program syncs it', () => {
  const holds = (folder: string, name: string) => folder === '/home/ann/shared' && name === '.stfolder'
  expect(syncedBy('/home/ann/shared/notes/earmark', holds)).toBe('Syncthing')
  expect(syncedBy('/home/ann/other/earmark', holds)).toBeUndefined()
})

test('an installed program alone syncs nothing', () => {
  const holds = (folder: string, name: string) => folder === '/home/ann' && name === '.dropbox'
  expect(syncedBy('/home/ann/.local/share/earmark', holds)).toBeUndefined()
})

test('a Dropbox folder of another name is recognized by its cache', () => {
  const holds = (folder: string, name: string) => folder === '/data/box' && name === '.dropbox.cache'
  expect(syncedBy('/data/box/earmark', holds)).toBe('Dropbox')
})
