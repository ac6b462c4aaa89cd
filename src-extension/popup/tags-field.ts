import { element } from '../shared/element.ts'
import { text } from '../texts.ts'

/** The field for tags, which suggests tags of the library. */
export interface TagsField {
  /** Includes text that was typed but not confirmed. */
  tags(): string[]
  add(tags: string[]): void
  /** Shows tags below the field, without those that were already chosen. */
  suggest(tags: string[]): void
}

/** Time without a key after which tags are looked up, in ms. */
const PAUSE_MS = 60

/**
 * Lets tags be typed and chosen from those of the library. Enter, Tab and a comma make a tag of what is typed.
 *
 * @param complete returns tags that start with the typed text
 */
export function tagsField(complete: (typed: string) => Promise<string[]>): TagsField {
  const input = element('tag', HTMLInputElement)
  const chosen = chosenTags(input)
  const offers = tagOffers(input, choose)
  const suggested = suggestedTags(input, choose)
  let pause: ReturnType<typeof setTimeout> | undefined

  function choose(tag: string): void {
    chosen.add([tag])
    input.value = ''
    offer([])
    suggested.show(chosen.has)
  }

  function offer(tags: string[]): void {
    clearTimeout(pause)
    offers.show(tags.filter((tag) => !chosen.has(tag)))
  }

  async function ask(typed: string): Promise<void> {
    const tags = await complete(typed).catch(() => [])
    if (input.value === typed) offer(tags)
  }

  input.addEventListener('input', () => {
    const parts = input.value.split(',')
    const typed = parts.pop()?.trimStart() ?? ''
    if (parts.length > 0) {
      chosen.add(parts)
      input.value = typed
    }
    clearTimeout(pause)
    if (typed === '') offer([])
    else pause = setTimeout(() => void ask(typed), PAUSE_MS)
  })
  input.addEventListener('keydown', (event) => {
    const { key, isComposing } = event
    const first = input.value === '' && key === 'ArrowRight' ? suggested.first() : undefined
    const typed = offers.active() ?? input.value
    if (isComposing || event.ctrlKey || event.metaKey) return
    if (['Enter', 'Tab'].includes(key) && cleaned(typed) !== '') choose(typed)
    else if (first !== undefined) choose(first)
    else if (key === 'Backspace' && input.value === '' && chosen.all.length > 0) chosen.dropLast()
    else if (key === 'Escape' && offers.isOpen()) offer([])
    else if (!offers.isOpen() || !offers.onArrow(key)) return
    event.preventDefault()
  })
  input.addEventListener('blur', () => offer([]))
  const typed = () => cleaned(input.value)
  return {
    add(tags) {
      chosen.add(tags)
      suggested.show(chosen.has)
    },
    suggest(tags) {
      suggested.set(tags)
      suggested.show(chosen.has)
    },
    tags: () => (typed() === '' ? [...chosen.all] : [...chosen.all, typed()])
  }
}

/** The tags that were chosen, each with a button that removes it. */
function chosenTags(input: HTMLInputElement) {
  const shown = element('chosen', HTMLUListElement)
  const all: string[] = []
  const has = (tag: string) => all.some((other) => same(other, tag))

  function chip(tag: string): HTMLLIElement {
    const item = document.createElement('li')
    const remove = document.createElement('button')
    Object.assign(remove, { type: 'button', textContent: '×', ariaLabel: text('removeTag', tag) })
    remove.addEventListener('click', () => {
      all.splice(all.indexOf(tag), 1)
      item.remove()
      input.focus()
    })
    item.append(tag, remove)
    return item
  }

  return {
    all,
    has,
    add(tags: string[]): void {
      for (const tag of tags.map(cleaned)) {
        if (tag === '' || has(tag)) continue
        all.push(tag)
        shown.append(chip(tag))
      }
    },
    dropLast(): void {
      all.pop()
      shown.lastElementChild?.remove()
    }
  }
}

/** The list of tags below the field, for the arrow keys. */
function tagOffers(input: HTMLInputElement, choose: (tag: string) => void) {
  const list = element('offered', HTMLDivElement)
  let offered: string[] = []
  let active = -1

  function show(tags: string[]): void {
    offered = tags
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

  return {
    show,
    isOpen: () => offered.length > 0,
    active: () => offered[active],
    /** Moves to the next or the previous tag. Returns whether the key was an arrow key for that. */
    onArrow(key: string): boolean {
      if (key === 'ArrowDown') activate((active + 1) % offered.length)
      else if (key === 'ArrowUp') activate((active > 0 ? active : offered.length) - 1)
      else return false
      return true
    }
  }
}

/** Tags of similar bookmarks, each a button that adds it. While the field is empty, the right arrow key adds the first. */
function suggestedTags(input: HTMLInputElement, choose: (tag: string) => void) {
  const group = element('suggested', HTMLFieldSetElement)
  let all: string[] = []
  let shown: string[] = []

  function button(tag: string, index: number): HTMLButtonElement {
    const take = document.createElement('button')
    Object.assign(take, {
      type: 'button',
      textContent: index === 0 ? `${tag} →` : tag,
      ariaLabel: text('takeTag', tag)
    })
    take.addEventListener('click', () => {
      choose(tag)
      input.focus()
    })
    return take
  }

  return {
    first: () => shown[0],
    set(tags: string[]): void {
      all = tags
    },
    show(isChosen: (tag: string) => boolean): void {
      shown = all.filter((tag) => !isChosen(tag))
      group.replaceChildren(...shown.map(button))
      group.hidden = shown.length === 0
    }
  }
}

/** Removes `#` and spaces, as the service does when it saves a tag. */
function cleaned(text: string): string {
  return text.replace(/^[#\s]+(?!\ufe0f)/, '').trim()
}

function same(tag: string, other: string): boolean {
  return tag.toLowerCase() === other.toLowerCase()
}
