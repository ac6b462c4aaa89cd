import type { ShownPage } from '../../src-main/contract/extension.ts'
import { element } from '../shared/element.ts'
import { connectHost } from '../shared/host.ts'
import { countText, fillPage, text } from '../texts.ts'

const MAX_RESULTS = 20

fillPage()

const words = element('words', HTMLInputElement)
const count = element('count', HTMLParagraphElement)
const problem = element('problem', HTMLParagraphElement)
const found = element('found', HTMLOListElement)

element('form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  history.replaceState(null, '', `?words=${encodeURIComponent(words.value)}`)
  void search()
})
words.value = new URLSearchParams(location.search).get('words') ?? ''
words.focus()
await search()

async function search(): Promise<void> {
  problem.hidden = true
  const host = connectHost()
  try {
    const { bookmarks, hint } = await host.ask('search', { words: words.value, limit: MAX_RESULTS })
    found.replaceChildren(...bookmarks.map(item))
    const total = bookmarks.length === 0 ? text('noneFound') : countText('found', bookmarks.length)
    count.textContent = hint === undefined ? total : `${total} ${hint}`
  } catch (error) {
    found.replaceChildren()
    count.textContent = ''
    problem.textContent = error instanceof Error ? error.message : String(error)
    problem.hidden = false
  } finally {
    host.close()
  }
}

/** All of it is text, never HTML, because titles come from other pages. */
function item({ url, title, description, tags }: ShownPage): HTMLLIElement {
  const item = document.createElement('li')
  const name = title || url || text('untitled')
  item.append(url !== null && /^https?:/.test(url) ? link(url, name) : name)
  for (const textContent of [url ?? '', tags.map((tag) => `#${tag}`).join(' '), description.slice(0, 300)]) {
    if (textContent === '') continue
    const line = document.createElement('p')
    Object.assign(line, { className: 'dimmed', dir: 'auto', textContent })
    item.append(line)
  }
  return item
}

function link(url: string, name: string): HTMLAnchorElement {
  const anchor = document.createElement('a')
  Object.assign(anchor, { href: url, dir: 'auto', textContent: name })
  return anchor
}
