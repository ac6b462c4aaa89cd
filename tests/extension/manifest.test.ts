import { expect, test } from 'vitest'
import { manifestFor } from '../../src-extension/manifest.ts'
import { EXTENSION } from '../../src-main/contract/extension-id.ts'

const NEEDED = ['activeTab', 'scripting', 'nativeMessaging', 'contextMenus', 'storage']

test.each(['chromium', 'firefox'] as const)('in %s it asks for what it needs, and for no site', (kind) => {
  const manifest = manifestFor(kind, '1.2.3') as Record<string, unknown>
  expect(manifest).toMatchObject({ manifest_version: 3, version: '1.2.3', omnibox: { keyword: 'em' } })
  expect([manifest.permissions, manifest.optional_permissions]).toEqual([NEEDED, ['tabs']])
  for (const name of ['host_permissions', 'optional_host_permissions', 'content_scripts', 'web_accessible_resources']) {
    expect(manifest).not.toHaveProperty(name)
  }
  expect(JSON.stringify(manifest)).not.toMatch(/unsafe-|<all_urls>|http:/)
})

test('each kind of browser is told by its own means which extension it is, and no other may speak to it', () => {
  expect(manifestFor('chromium', '1')).toMatchObject({ key: EXTENSION.key, externally_connectable: { ids: [] } })
  expect(manifestFor('firefox', '1')).toMatchObject({ browser_specific_settings: { gecko: { id: EXTENSION.firefox } } })
  expect(manifestFor('firefox', '1')).not.toHaveProperty('key')
})
