import { createScanner, type Node, parseTree } from 'jsonc-parser'

/** Spaces and comments up to the end of a line. */
const REST_OF_LINE = /[ \t]*(?:\/\*(?:[^*\n]|\*(?!\/))*\*\/[ \t]*)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/y

/**
 * Writes the value at a path of objects, or removes its property. Every character outside of the property stays, except
 * a comma next to it.
 */
export function putJsonValue(text: string, path: string[], value: object | undefined): string {
  let object = parseTree(text, [], { allowTrailingComma: true })
  let property: Node | undefined
  const missing = [...path]
  for (const name of path) {
    const next = object?.children?.find(({ children }) => children?.[0]?.value === name)
    if (!next) break
    property = next
    object = next.children?.[1]
    missing.shift()
  }
  const [name, ...inner] = missing
  if (!value) return name === undefined && property ? removeProperty(text, property) : text
  if (name === undefined && property && object) {
    const isLine = startsLine(text, property.offset)
    const written = isLine ? pretty(text, value, indentOf(text, property.offset)) : JSON.stringify(value)
    return splice(text, object.offset, endOf(object), written)
  }
  const nested = inner.reduceRight<object>((content, key) => ({ [key]: content }), value)
  return object && name !== undefined ? addProperty(text, object, name, nested) : text
}

function addProperty(text: string, object: Node, name: string, value: object): string {
  const last = object.children?.at(-1)
  if (!last) return fillObject(text, object, name, value)
  const comma = commaAfter(text, endOf(last))
  if (!startsLine(text, last.offset)) {
    const written = `${JSON.stringify(name)}:${JSON.stringify(value)}`
    if (comma !== undefined) return splice(text, comma + 1, comma + 1, `${written},`)
    return splice(text, endOf(last), endOf(last), `,${written}`)
  }
  const line = propertyLine(text, indentOf(text, last.offset), name, value)
  const from = comma === undefined ? endOf(last) : comma + 1
  const end = from + match(REST_OF_LINE, text, from).length
  const added = splice(text, end, end, comma === undefined ? line : `${line},`)
  return comma === undefined ? splice(added, endOf(last), endOf(last), ',') : added
}

/** Adds the first property of an object: on a separate line, unless the parent of the object is within one line. */
function fillObject(text: string, object: Node, name: string, value: object): string {
  const open = object.offset + 1
  const inner = text.slice(open, endOf(object) - 1)
  const end = open + inner.trimEnd().length
  const parent = object.parent?.parent
  if (parent && !text.slice(parent.offset, endOf(parent)).includes('\n')) {
    return splice(text, end, end, `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  }
  const indent = indentOf(text, object.offset)
  const close = text.slice(end, endOf(object)).includes('\n') ? '' : eolOf(text) + indent
  return splice(text, end, end, propertyLine(text, indent + unitOf(text), name, value) + close)
}

function removeProperty(text: string, property: Node): string {
  const parent = property.parent ?? property
  const siblings = parent.children ?? []
  const previous = siblings[siblings.indexOf(property) - 1]
  const comma = commaAfter(text, endOf(property))
  const commaBefore = previous && commaAfter(text, endOf(previous))
  const end = comma === undefined ? endOf(property) : comma + 1
  // The rest of the line must not become part of a comment before the property.
  const gap = text.slice((commaBefore ?? parent.offset) + 1, property.offset)
  const endsLine = match(REST_OF_LINE, text, end) !== '' || /[\r\n]/.test(text[end] ?? '')
  const isLine = startsLine(text, property.offset) && (endsLine || gap.trim() === '')
  const start = isLine ? text.slice(0, property.offset).replace(/\r?\n[ \t]*$/, '').length : property.offset
  const removed = splice(text, start, end, '')
  if (siblings.length === 1) {
    return removed.slice(0, parent.offset) + removed.slice(parent.offset).replace(/^\{\s*\}/, '{}')
  }
  return comma !== undefined || commaBefore === undefined ? removed : splice(removed, commaBefore, commaBefore + 1, '')
}

/** Returns the offset of the comma after a value, with comments between them. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : undefined
}

function propertyLine(text: string, indent: string, name: string, value: object): string {
  return `${eolOf(text)}${indent}${JSON.stringify(name)}: ${pretty(text, value, indent)}`
}

function pretty(text: string, value: object, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', eolOf(text) + indent)
}

function endOf({ offset, length }: Node): number {
  return offset + length
}

function splice(text: string, start: number, end: number, part: string): string {
  return text.slice(0, start) + part + text.slice(end)
}

function match(pattern: RegExp, text: string, index: number): string {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0] ?? ''
}

function indentOf(text: string, offset: number): string {
  return match(/[ \t]*/y, text, text.lastIndexOf('\n', offset - 1) + 1)
}

function startsLine(text: string, offset: number): boolean {
  return (
    text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset).trim() === '' && text.lastIndexOf('\n', offset - 1) >= 0
  )
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function unitOf(text: string): string {
  return /^(?<indent>\t| +)\S/m.exec(text)?.groups?.indent ?? '  '
}
