import { keepChoices, readChoices, SEES_TABS } from '../shared/choices.ts'
import { element } from '../shared/element.ts'

const sendText = element('send-text', HTMLInputElement)
const seeTabs = element('see-tabs', HTMLInputElement)

sendText.addEventListener('change', () => void keepChoices({ sendText: sendText.checked }))
seeTabs.addEventListener('change', async () => {
  const { permissions } = chrome
  // The browser asks only in answer to a click, so nothing may be waited for before.
  await (seeTabs.checked ? permissions.request(SEES_TABS) : permissions.remove(SEES_TABS))
  seeTabs.checked = await permissions.contains(SEES_TABS)
})
sendText.checked = (await readChoices()).sendText
seeTabs.checked = await chrome.permissions.contains(SEES_TABS)
