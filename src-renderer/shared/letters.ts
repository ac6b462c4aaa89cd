/** A site as people write it: `xn--bcher-kva.example` is `bücher.example`. One that could pass for another stays. */
export function siteInLetters(host: string): string {
  return host.split('.').map(labelInLetters).join('.')
}

/** An address as people write it, to be read, not to be opened. */
export function addressInLetters(address: string): string {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/(?:[^/?#@]*@)?)([^/?#]*)(.*)$/is.exec(address) ?? []
  return scheme === '' ? address : `${scheme}${siteInLetters(host)}${decoded(rest)}`
}

function decoded(path: string): string {
  try {
    // Signs that cannot be seen, or that would end the address, stay as they are.
    return path.replace(/(?:%[\da-f]{2})+/gi, (run) => {
      const text = decodeURIComponent(run)
      return /^[\p{L}\p{M}\p{N}]+$/u.test(text) ? text : run
    })
  } catch {
    return path
  }
}

function labelInLetters(label: string): string {
  if (!/^xn--/i.test(label)) return label
  const text = fromPunycode(label.slice(4).toLowerCase())
  return text === undefined || isMisleading(text) ? label : text
}

/** Letters of several scripts, or of one whose letters look Latin. */
function isMisleading(text: string): boolean {
  const latin = /\p{Script=Latin}/u.test(text)
  const alike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(text)
  return !/^[\p{L}\p{M}\p{N}-]+$/u.test(text) || (latin && alike) || /^[аеіјорсухѕԁһӏԛԝ\d-]+$/u.test(text)
}

/** RFC 3492, 6.2, with the parameters of its section 5. */
function fromPunycode(text: string): string | undefined {
  const basic = Math.max(0, text.lastIndexOf('-'))
  const points = Array.from(text.slice(0, basic), (letter) => letter.codePointAt(0) ?? 0)
  let [point, index, bias] = [128, 0, 72]
  for (let at = basic > 0 ? basic + 1 : 0; at < text.length; ) {
    const before = index
    for (let weight = 1, step = 36; ; step += 36) {
      const digit = parseInt(text[at++] ?? '', 36)
      if (Number.isNaN(digit)) return undefined
      // Letters are 0 to 25, numerals 26 to 35.
      const value = digit < 10 ? digit + 26 : digit - 10
      const least = Math.min(26, Math.max(1, step - bias))
      index += value * weight
      if (value < least) break
      weight *= 36 - least
    }
    bias = adapted(index - before, points.length + 1, before === 0)
    point += Math.floor(index / (points.length + 1))
    index %= points.length + 1
    if (point > 0x10ffff) return undefined
    points.splice(index++, 0, point)
  }
  return String.fromCodePoint(...points)
}

function adapted(delta: number, length: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? 700 : 2))
  left += Math.floor(left / length)
  let bias = 0
  for (; left > 455; bias += 36) left = Math.floor(left / 35)
  return bias + Math.floor((36 * left) / (left + 38))
}
