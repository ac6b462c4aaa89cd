import { markTab, warnInTab } from '../shared/mark-tab.ts'
import type { SaveMessage, SaveOutcome } from '../shared/save-message.ts'
import { withKept } from '../shared/with-kept.ts'
import { askHost } from './shared-host.ts'

/** Saves what the popup hands over, which its owner may close before that is done. Only pages of ours can send it. */
export function saveForPopup(): void {
  chrome.runtime.onMessage.addListener((message, { id }, answer) => {
    if (id !== chrome.runtime.id) return false
    void save(message as SaveMessage).then(answer)
    return true
  })
}

async function save({ tabId, page, shown, titled }: SaveMessage): Promise<SaveOutcome> {
  try {
    const kept = shown ? null : (await askHost('saved', { url: page.url })).bookmark
    const { status } = await askHost('save', withKept({ page, titled }, kept))
    await markTab(tabId, true)
    return { status }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    await warnInTab(tabId, words)
    return { error: words }
  }
}
