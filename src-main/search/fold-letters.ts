/// <reference path="./opencc-js.d.ts" />
import simplified from 'opencc-js/dict/TSCharacters'

/**
 * Returns text in which letters that differ in writing alone are one: those without a decomposition (đ, ł, ø, ß, æ), what
 * Arabic and Hebrew may leave out, and traditional Chinese characters as their simplified ones.
 */
export function foldLetters(text: string): string {
  const plain = text.replace(MARKS, '').replace(LETTERS, (letter) => FOLDED[letter] ?? letter)
  return HAN.test(plain) ? plain.replace(HAN, (character) => simplifiedOf(character)) : plain
}

const HAN = /\p{Script=Han}/gu

/** Arabic vowels and lengthening, Hebrew points. */
const MARKS = /[\u0591-\u05c7\u0640\u064b-\u065f\u0670]/g

const FOLDED: Record<string, string> = {
  ...{ đ: 'd', Đ: 'D', ð: 'd', Ð: 'D', ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', ı: 'i', ħ: 'h', ŋ: 'n' },
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', þ: 'th', Þ: 'Th', ё: 'е', Ё: 'Е' },
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ؤ: 'و', ئ: 'ي' }
}
const LETTERS = RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g')

let table: Map<string, string> | undefined

/** Each entry of the table is a traditional character, a space and its simplified ones, the likeliest first. */
function simplifiedOf(character: string): string {
  table ??= new Map(simplified.split('|').map((entry) => entry.split(' ').slice(0, 2) as [string, string]))
  return table.get(character) ?? character
}
