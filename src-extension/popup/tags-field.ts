import { element } from '../shared/element.ts'
import { strings } from '../strings.ts'

/** The tags of what is about to be saved. */
export interface TagsField {
  /** With what is typed and not yet made a tag. */
  tags(): string[]
  add(tags: string[]): void
}

/** A slow hand types a letter in this time. */
const PAUSE_MS = 60

/**
 * Lets tags be typed and chosen from those of the library. Enter, Tab and a comma make a tag of what is typed.
 *
 * @param complete gives what the typed may become
 */
export function tagsField(complete: (typed: string) => Promise<string[]>): TagsField {
  const input = element('tag', HTMLInputElement)
  const list = element('offered', HTMLDivElement)
  const shown = element('chosen', HTMLUListElement)
  const chosen: string[] = []
  let offered: string[] = []
  let active = -1
  let pause: ReturnType<typeof setTimeout> | undefined

  function add(tags: string[]): void {
    for (const tag of tags.map(cleaned)) {
      if (tag === '' || chosen.some((one) => same(one, tag))) continue
      chosen.push(tag)
      shown.append(chip(tag))
    }
  }

  function chip(tag: string): HTMLLIElement {
    const item = document.createElement('li')
    const remove = document.createElement('button')
    Object.assign(remove, { type: 'button', textContent: '×', ariaLabel: strings.removeTag(tag) })
    remove.addEventListener('click', () => {
      drop(tag, item)
      input.focus()
    })
    item.append(tag, remove)
    return item
  }

  function drop(tag: string, item: Element | null): void {
    chosen.splice(chosen.indexOf(tag), 1)
    item?.remove()
  }

  function choose(tag: string): void {
    add([tag])
    input.value = ''
    offer([])
  }

  function offer(tags: string[]): void {
    clearTimeout(pause)
    offered = tags.filter((tag) => !chosen.some((one) => same(one, tag)))
    list.replaceChildren(...offered.map(option))
    list.hidden = offered.length === 0
    input.setAttribute('aria-expanded', String(!list.hidden))
    activate(-1)
  }

  function option(tag: string, index: number): HTMLDivElement {
    const item = document.createElement('div')
    Object.assign(item, { id: `tag-${index}`, role: 'option', textContent: tag })
    item.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      choose(tag)
    })
    return item
  }

  function activate(index: number): void {
    active = index
    for (const [at, item] of [...list.children].entries()) item.setAttribute('aria-selected', String(at === active))
    if (active < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', `tag-${active}`)
  }

  async function ask(typed: string): Promise<void> {
    const tags = await complete(typed).catch(() => [])
    if (input.value === typed) offer(tags)
  }

  input.addEventListener('input', () => {
    const parts = input.value.split(',')
    const typed = parts.pop()?.trimStart() ?? ''
    if (parts.length > 0) {
      add(parts)
      input.value = typed
    }
    clearTimeout(pause)
    if (typed === '') offer([])
    else pause = setTimeout(() => void ask(typed), PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    const { key, isComposing } = event
    const typed = offered[active] ?? input.value
    if (isComposing || event.ctrlKey || event.metaKey) return
    if (['Enter', 'Tab'].includes(key) && cleaned(typed) !== '') choose(typed)
    else if (key === 'ArrowDown' && offered.length > 0) activate((active + 1) % offered.length)
    else if (key === 'ArrowUp' && offered.length > 0) activate((active + offered.length) % offered.length)
    else if (key === 'Escape' && offered.length > 0) offer([])
    else if (key === 'Backspace' && input.value === '' && chosen.length > 0) {
      drop(chosen.at(-1) ?? '', shown.lastElementChild)
    } else return
    event.preventDefault()
  })
  input.addEventListener('blur', () => offer([]))
  return { add, tags: () => (cleaned(input.value) === '' ? [...chosen] : [...chosen, cleaned(input.value)]) }
}

/** The service cleans what it keeps; this is how a tag is shown. */
function cleaned(text: string): string {
  return text.trim().replace(/^#+/, '').trim()
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}
