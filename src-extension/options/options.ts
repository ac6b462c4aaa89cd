import { keepChoices, readChoices, SEES_TABS } from '../shared/choices.ts'
import { element } from '../shared/element.ts'
import { fillPage } from '../texts.ts'

fillPage()

const sendText = element('send-text', HTMLInputElement)
const saveFirst = element('save-first', HTMLInputElement)
const seeTabs = element('see-tabs', HTMLInputElement)

saveFirst.addEventListener('change', () => void keepChoices({ saveFirst: saveFirst.checked }))
sendText.addEventListener('change', () => void keepChoices({ sendText: sendText.checked }))
seeTabs.addEventListener('change', async () => {
  const { permissions } = chrome
  // Nothing may be awaited before this: the browser asks only in direct response to a click.
  await (seeTabs.checked ? permissions.request(SEES_TABS) : permissions.remove(SEES_TABS))
  seeTabs.checked = await permissions.contains(SEES_TABS)
})
const choices = await readChoices()
sendText.checked = choices.sendText
saveFirst.checked = choices.saveFirst
seeTabs.checked = await chrome.permissions.contains(SEES_TABS)
