import { expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
vi.stubGlobal('document', { documentElement: { dataset: {} } })
vi.stubGlobal('localStorage', {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, value: string) => void kept.set(key, value),
  removeItem: (key: string) => void kept.delete(key)
})
const { loginCommand, rememberOwnFolder, startCommand } = await import('../../../src-renderer/shared/own-folder.ts')

test('commands name the data folder where they must, as a shell reads it', () => {
  expect([loginCommand(), startCommand()]).toEqual(['npm run -s earmark -- login', 'npm start'])
  rememberOwnFolder('/home/me/my marks')
  expect([loginCommand(), startCommand()]).toEqual([
    'npm run -s earmark -- login --data "/home/me/my marks"',
    'npm start -- --data "/home/me/my marks"'
  ])
  rememberOwnFolder('/srv/marks')
  expect(startCommand()).toBe('npm start -- --data /srv/marks')
  rememberOwnFolder(null)
  expect(startCommand()).toBe('npm start')
})
