import { markedParts } from './marked-parts.ts'

/** A text with what was searched for marked in it. Always text, whatever it holds. */
export function Marked({ text, words }: { text: string; words: string[] }) {
  if (words.length === 0) return text
  let at = 0
  return markedParts(text, words).map((part) => {
    at += part.text.length
    return part.match ? <mark key={at}>{part.text}</mark> : part.text
  })
}
