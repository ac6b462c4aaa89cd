import { isCollection, isMap, isPair, isScalar, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml'

/**
 * Writes the entry into a list or mapping at the top of a YAML file, or removes it. Every character outside of the entry
 * stays. The result may be wrong if the file uses rare syntax.
 *
 * @param path the property with the servers, and the entry's name, or its index in a list; -1 if the list has no such
 *   entry
 * @param servers the list or mapping with only the new entry; `undefined` to remove the entry
 */
export function putYamlEntry(
  text: string,
  [key, entry]: [string, string | number],
  servers: object | undefined
): string {
  const document = parseDocument(text, { prettyErrors: false })
  const root = isMap(document.contents) ? document.contents : undefined
  const pair = root?.items.find((item) => hasKey(item, key))
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const write = (value: object, indent: string) =>
    stringify(value, { lineWidth: 0 })
      .trimEnd()
      .split('\n')
      .map((line) => indent + line + eol)
      .join('')
  const rootIndent = root ? columnOf(text, startOf(root)) : ''

  if (!pair) {
    if (!servers) return text
    if (root?.flow) return addInline(text, root, `${JSON.stringify(key)}: ${JSON.stringify(servers)}`)
    return addLines(text, document.range[1], write({ [key]: servers }, rootIndent), eol)
  }
  const list = pair.value
  if (!isCollection(list) || list.items.length === 0) {
    if (!servers) return text
    const [start, end] = extentOf(list)
    if (root?.flow) return text.slice(0, start) + JSON.stringify(servers) + text.slice(end)
    const kept = start === end ? text.slice(0, start) : text.slice(0, start).trimEnd()
    const cut = kept + text.slice(end)
    return addLines(cut, lineEnd(cut, kept.length), write(servers, `${rootIndent}  `), eol)
  }
  const index = typeof entry === 'number' ? entry : list.items.findIndex((item) => hasKey(item, entry))
  const item = list.items[index]
  if (list.flow) return putInline(text, list as YAMLMap | YAMLSeq, index, servers)

  const indent = columnOf(text, startOf(list))
  const last = lineEnd(text, extentOf(list.items.at(-1))[1])
  if (!item) return servers ? addLines(text, last, write(servers, indent), eol) : text
  const [first, end] = extentOf(item)
  const start = isPair(item) ? first - indent.length : text.lastIndexOf(`\n${indent}-`, first) + 1
  const rest = text.slice(lineEnd(text, end))
  if (servers) return text.slice(0, start) + write(servers, indent) + rest
  if (list.items.length > 1) return text.slice(0, start) + rest
  const colon = text.indexOf(':', extentOf(pair.key)[1]) + 1
  return `${text.slice(0, colon)} ${isMap(list) ? '{}' : '[]'}${text.slice(colon, start)}${rest}`
}

function hasKey(item: unknown, name: string): boolean {
  return isPair(item) && isScalar(item.key) && item.key.value === name
}

/** Changes a list or mapping in brackets. */
function putInline(text: string, list: YAMLMap | YAMLSeq, index: number, servers: object | undefined): string {
  const written = servers && JSON.stringify(servers).slice(1, -1)
  const item = list.items[index]
  if (!item) return written === undefined ? text : addInline(text, list, written)
  let [start, end] = extentOf(item)
  if (written === undefined) {
    const [previous, next] = [list.items[index - 1], list.items[index + 1]]
    if (previous) start = extentOf(previous)[1]
    else if (next) end = extentOf(next)[0]
  }
  return text.slice(0, start) + (written ?? '') + text.slice(end)
}

function addInline(text: string, list: unknown, part: string): string {
  const [start, end] = extentOf(list)
  const inner = text.slice(start + 1, end - 1)
  const content = inner.trimEnd()
  const added = content === '' ? part : content.endsWith(',') ? ` ${part},` : `, ${part}`
  return text.slice(0, start + 1) + content + added + inner.slice(content.length) + text.slice(end - 1)
}

function addLines(text: string, offset: number, lines: string, eol: string): string {
  const before = text.slice(0, offset)
  return before + (before === '' || before.endsWith('\n') ? '' : eol) + lines + text.slice(offset)
}

/** Returns the offsets of a node, or of a key with its value. */
function extentOf(node: unknown): [start: number, end: number] {
  if (isPair(node)) {
    return [extentOf(node.key)[0], extentOf(node.value ?? node.key)[1]]
  }
  const range = (node as { range?: [number, number, number] | null } | null)?.range
  if (!range) throw new Error('a part of the file has no position')
  return [range[0], range[1]]
}

function startOf(node: unknown): number {
  return extentOf(node)[0]
}

/** Returns the text between the start of the line and this offset. */
function columnOf(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
}

function lineEnd(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset
  const newline = text.indexOf('\n', offset)
  return newline < 0 ? text.length : newline + 1
}
