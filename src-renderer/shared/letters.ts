/// <reference path="./punycode.d.ts" />
import { decode } from 'punycode/punycode.es6.js'

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

function fromPunycode(text: string): string | undefined {
  try {
    return decode(text)
  } catch {
    return undefined
  }
}
