import { expect, test } from 'vitest'
import { manifestFor } from '../../src-extension/manifest.ts'
import { EXTENSION } from '../../src-main/contract/extension-id.ts'

const NEEDED = ['activeTab', 'scripting', 'nativeMessaging', 'contextMenus', 'storage']

test.each(['chromium', 'firefox'] as const)('in %s it requests the needed permissions and no sites', (kind) => {
  const manifest = manifestFor(kind, '1.2.3') as Record<string, unknown>
  expect(manifest).toMatchObject({ manifest_version: 3, version: '1.2.3', omnibox: { keyword: 'em' } })
  const optional = kind === 'chromium' ? ['tabs', 'pageCapture'] : ['tabs']
  expect([manifest.permissions, manifest.optional_permissions]).toEqual([NEEDED, optional])
  for (const name of ['host_permissions', 'optional_host_permissions', 'content_scripts', 'web_accessible_resources']) {
    expect(manifest).not.toHaveProperty(name)
  }
  expect(JSON.stringify(manifest)).not.toMatch(/unsafe-|<all_urls>|http:/)
})

test('each browser’s native host allows only this extension', () => {
  expect(manifestFor('chromium', '1')).toMatchObject({ key: EXTENSION.key, externally_connectable: { ids: [] } })
  expect(manifestFor('firefox', '1')).toMatchObject({ browser_specific_settings: { gecko: { id: EXTENSION.firefox } } })
  expect(manifestFor('firefox', '1')).not.toHaveProperty('key')
})
