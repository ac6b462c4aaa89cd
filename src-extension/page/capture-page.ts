import { MAX_COPY_BYTES } from '../../src-main/contract/page-copy.ts'

// Injected into a tab if the browser cannot write web archives, in an isolated world like read-page.ts.
Object.assign(globalThis, { earmarkCapturePage: capturePage })

/** Returns the page as one HTML document that contains its styles, and those pictures and fonts that a script may read. */
async function capturePage(): Promise<string> {
  const root = document.documentElement.cloneNode(true) as HTMLElement
  const originals = [...document.documentElement.querySelectorAll('*')]
  const copies = [...root.querySelectorAll('*')]
  const embed = embedder()
  for (const [index, original] of originals.entries()) {
    const copy = copies[index]
    if (!copy) continue
    const sheet = sheetOf(original)
    if (original instanceof HTMLImageElement) {
      copy.removeAttribute('srcset')
      copy.setAttribute('src', (await embed(original.currentSrc || original.src)) ?? '')
    } else if (sheet) {
      const style = document.createElement('style')
      style.media = sheet.media.mediaText
      style.textContent = await styleText(sheet, embed)
      copy.replaceWith(style)
    }
    const inline = copy.getAttribute('style')
    if (inline?.includes('url(')) copy.setAttribute('style', await withFiles(inline, document.baseURI, embed))
  }
  return `${document.compatMode === 'CSS1Compat' ? '<!DOCTYPE html>' : ''}${root.outerHTML}`
}

/** Returns a file as a `data:` address; `undefined` if the page may not read it, or all files together are too large. */
type Embed = (address: string) => Promise<string | undefined>

function embedder(): Embed {
  const known = new Map<string, Promise<string | undefined>>()
  let room = MAX_COPY_BYTES
  async function read(address: string): Promise<string | undefined> {
    try {
      const blob = await (await fetch(address)).blob()
      room -= blob.size
      return room < 0 ? undefined : await dataUrl(blob)
    } catch {
      return undefined // another site that does not allow it
    }
  }
  return (address) => {
    if (!/^https?:/.test(address)) return Promise.resolve(address.startsWith('data:') ? address : undefined)
    const file = known.get(address) ?? read(address)
    known.set(address, file)
    return file
  }
}

function dataUrl(blob: Blob): Promise<string> {
  const reader = new FileReader()
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}

function sheetOf(element: Element): CSSStyleSheet | null {
  return element instanceof HTMLLinkElement || element instanceof HTMLStyleElement ? element.sheet : null
}

async function styleText(sheet: CSSStyleSheet, embed: Embed): Promise<string> {
  const base = sheet.href ?? document.baseURI
  let text = ''
  try {
    for (const rule of sheet.cssRules) {
      const imported = rule instanceof CSSImportRule ? rule.styleSheet : null
      text += imported ? await importedText(imported, embed) : await withFiles(rule.cssText, base, embed)
    }
  } catch {
    // A sheet of another site can be read only by a request, and only if that site allows it.
    const response = await fetch(base).catch(() => undefined)
    return response?.ok ? withFiles(await response.text(), base, embed) : ''
  }
  return text
}

async function importedText(sheet: CSSStyleSheet, embed: Embed): Promise<string> {
  const text = await styleText(sheet, embed)
  return sheet.media.mediaText === '' ? text : `@media ${sheet.media.mediaText} {${text}}`
}

/** Replaces addresses of pictures and fonts in CSS with their content. */
async function withFiles(css: string, base: string, embed: Embed): Promise<string> {
  let text = ''
  let end = 0
  for (const { 0: whole, 1: quoted, 2: plain, index } of css.matchAll(/url\((?:"([^"\\]*)"|([^)"'\s]*))\)/g)) {
    const address = quoted ?? plain ?? ''
    const file =
      address.startsWith('#') || !URL.canParse(address, base) ? undefined : await embed(new URL(address, base).href)
    text += css.slice(end, index) + (file === undefined ? whole : `url("${file}")`)
    end = index + whole.length
  }
  return text + css.slice(end)
}
