import { EXTENSION } from '../src-main/contract/extension-id.ts'

const ICONS = Object.fromEntries([16, 32, 48, 128].map((size) => [size, `icons/icon-${size}.png`]))

/** Returns the extension's manifest for a kind of browser. */
export function manifestFor(kind: 'chromium' | 'firefox', version: string): object {
  const own =
    kind === 'chromium'
      ? {
          key: EXTENSION.key,
          // `tabs` only once the owner wants each page marked that is saved, the other once they save a copy.
          optional_permissions: ['tabs', 'pageCapture'],
          minimum_chrome_version: '123',
          background: { service_worker: 'background.js', type: 'module' },
          // Without this any other extension may speak to it.
          externally_connectable: { ids: [] }
        }
      : {
          optional_permissions: ['tabs'],
          browser_specific_settings: {
            gecko: {
              id: EXTENSION.firefox,
              strict_min_version: '128.0',
              data_collection_permissions: { required: ['none'] }
            }
          },
          background: { scripts: ['background.js'], type: 'module' }
        }
  return {
    manifest_version: 3,
    name: 'Earmark',
    version,
    // Texts are in _locales.
    default_locale: 'en',
    description: '__MSG_description__',
    icons: ICONS,
    ...own,
    action: { default_title: '__MSG_title__', default_icon: ICONS, default_popup: 'popup/index.html' },
    options_ui: { page: 'options/index.html', open_in_tab: true },
    commands: {
      _execute_action: { suggested_key: { default: 'Alt+Shift+E' }, description: '__MSG_savePage__' }
    },
    omnibox: { keyword: 'em' },
    permissions: ['activeTab', 'scripting', 'nativeMessaging', 'contextMenus', 'storage'],
    content_security_policy: {
      extension_pages: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
    }
  }
}
