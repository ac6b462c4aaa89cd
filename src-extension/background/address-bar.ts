import type { ShownPage } from '../../src-main/contract/extension.ts'
import { isChromium } from '../shared/choices.ts'
import { text as textOf } from '../texts.ts'
import { askHost } from './shared-host.ts'

/** Number of suggestions that an address bar shows. */
const MAX_SUGGESTIONS = 6

/** Searches for text that is typed after `em` in the address bar. */
export function searchFromAddressBar(): void {
  const { omnibox } = chrome
  let typed = ''
  omnibox.onInputChanged.addListener(async (text, suggest) => {
    typed = text
    omnibox.setDefaultSuggestion({ description: `${textOf('searchFor')} ${written(text)}` })
    if (text.trim() === '') return
    const found = await askHost('search', { words: text, limit: MAX_SUGGESTIONS }).catch(() => undefined)
    if (text === typed && found) suggest(found.bookmarks.flatMap(suggestionOf))
  })
  omnibox.onInputEntered.addListener((text, disposition) => {
    const url = /^https?:/.test(text)
      ? text
      : chrome.runtime.getURL(`results/index.html?words=${encodeURIComponent(text)}`)
    if (disposition === 'currentTab') void chrome.tabs.update({ url })
    else void chrome.tabs.create({ url, active: disposition === 'newForegroundTab' })
  })
}

function suggestionOf({ url, title, tags }: ShownPage): Suggestion[] {
  if (url === null) return []
  const words = [title || url, ...tags.map((tag) => `#${tag}`)].join(' ')
  return [{ content: url, description: `${written(words)} ${isChromium() ? `<url>${written(url)}</url>` : url}` }]
}

/** Escapes text for Chromium, which parses suggestions as XML. Firefox shows plain text. */
function written(text: string): string {
  if (!isChromium()) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
