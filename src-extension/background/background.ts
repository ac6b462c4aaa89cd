import { strings } from '../strings.ts'
import { searchFromAddressBar } from './address-bar.ts'
import { saveFromMenus } from './menus.ts'
import { saveForPopup } from './saving.ts'
import { markTabs } from './tabs.ts'

chrome.runtime.onInstalled.addListener(async () => {
  await chrome.contextMenus.removeAll()
  for (const [id, title] of Object.entries(strings.menus)) chrome.contextMenus.create({ id, title, contexts: [id] })
})
saveForPopup()
saveFromMenus()
searchFromAddressBar()
markTabs()
