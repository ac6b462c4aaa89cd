/// <reference path="./opencc-js.d.ts" />
import simplified from 'opencc-js/dict/TSCharacters'

/**
 * Folds text so that spellings of the same word are equal: like `foldAccents`, with traditional Chinese characters
 * replaced by simplified ones.
 *
 * @param text in NFKC
 */
export function foldLetters(text: string): string {
  const plain = foldAccents(text)
  return HAN.test(plain) ? plain.replace(HAN, (character) => simplifiedOf(character)) : plain
}

/**
 * Returns text in lower case, without accents and other optional marks: vowel points, lengthening signs, apostrophes that
 * are letters.
 *
 * @param text composed (NFC or NFKC)
 */
export function foldAccents(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const plain = text.toLowerCase().replace(FOLDABLE, (letter) => FOLDED[letter] ?? '')
  const nasal = plain.includes(VIRAMA) ? plain.replace(NASALS, ANUSVARA) : plain
  // The capitals of the Armenian ligature և: ԵՎ in Armenia, ԵՒ in the diaspora.
  return nasal.replaceAll('եւ', 'եվ').replace(APOSTROPHES, '')
}

const VIRAMA = '\u094d'
const ANUSVARA = '\u0902'
/** A nasal before a consonant of its class. Devanagari can also write it as anusvara: हिन्दी is हिंदी. */
const NASALS = /(?:ङ(?=.[क-घ])|ञ(?=.[च-झ])|ण(?=.[ट-ढ])|न(?=.[त-ध])|म(?=.[प-भ]))\u094d/g

const HAN = /\p{Script=Han}/gu

/** Marks and signs that are removed. */
const MARKS = [
  String.raw`\u00ad\u200b\u2060\ufeff`, // invisible: soft hyphen, zero width space, word joiner, byte order mark
  String.raw`\u02b9-\u02bf\u02ee\ua78b\ua78c\u07f4\u07f5`, // modifier letters: apostrophe of пʼять, ʻokina of Hawaiʻi
  String.raw`\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f`, // accents not composed with a letter
  String.raw`\ufe00-\ufe0f`, // the choice between a symbol's text and emoji forms
  String.raw`\u0483-\u0487`, // Old Cyrillic
  String.raw`\u055a-\u055c\u055e\u055f`, // Armenian stress, exclamation and question marks, which are inside words
  String.raw`\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7`, // Hebrew points; its hyphen (05be) stays
  String.raw`\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed`, // Arabic
  String.raw`\u0711\u0730-\u074a`, // Syriac
  String.raw`\u093c` // Devanagari nukta, the dot for sounds of Persian and English
].join('')

/** Cyrillic letters that keep their mark, because they are separate letters that nobody writes without it. */
const KEPT_LETTERS = 'йўїѓќ'

/** Unicode blocks of letters composed with an accent: Latin, Greek and Cyrillic. */
const COMPOSED = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff]
] as const

/** Letters that people replace by others, but that Unicode does not decompose. */
const UNCOMPOSED: Record<string, string> = {
  ...{ đ: 'd', ð: 'd', ł: 'l', ø: 'o', ı: 'i', ħ: 'h', ŋ: 'n', ŧ: 't', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ ɓ: 'b', ɗ: 'd', ƙ: 'k', ƴ: 'y' }, // Hausa
  ς: 'σ',
  ...{ أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ی: 'ي', ک: 'ك', ة: 'ه', ؤ: 'و', ئ: 'ي' }
}

const FOLDED: Record<string, string> = { ...UNCOMPOSED, ...Object.fromEntries(composedLetters()) }
const FOLDABLE = RegExp(`[${MARKS}${Object.keys(FOLDED).join('')}]`, 'g')

function composedLetters(): [letter: string, plain: string][] {
  const letters = COMPOSED.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index))
  )
  return letters.flatMap((letter): [string, string][] => {
    const [base = letter, mark] = letter.normalize('NFD')
    const isAccented = mark !== undefined && letter === letter.toLowerCase() && !KEPT_LETTERS.includes(letter)
    return isAccented ? [[letter, UNCOMPOSED[base] ?? base]] : []
  })
}

/** Removes apostrophes between vowels (Hawai'i, Baha'i), except after French `qu`. For ASCII text. */
export function withoutApostrophes(text: string): string {
  return text.includes("'") ? text.replace(BETWEEN_VOWELS, '') : text
}

const ASCII = /^[\0-\x7f]*$/
const BETWEEN_VOWELS = /'(?<=[aeiou]')(?<!qu')(?=[aeiou])/gi
/** Apostrophes between Cyrillic letters (п'ять) or vowels, except after French `qu`; the dot of Catalan l·l. */
const APOSTROPHES = /['’‘](?:(?<=[\u0400-\u052f].)(?=[\u0400-\u052f])|(?<=[aeiou].)(?<!qu.)(?=[aeiou]))|·(?<=l.)(?=l)/g

let simplifiedByTraditional: Map<string, string> | undefined

function simplifiedOf(character: string): string {
  // An entry is a traditional character, a space, and its simplified ones with spaces between them, the likeliest first.
  simplifiedByTraditional ??= new Map(
    simplified.split('|').map((entry) => entry.split(' ').slice(0, 2) as [string, string])
  )
  return simplifiedByTraditional.get(character) ?? character
}

/** Latin spellings of Cyrillic letters, as they are most common for Russian and Ukrainian names. */
const LATIN: Record<string, string> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', ё: 'e', є: 'ye', ж: 'zh', з: 'z', и: 'i', і: 'i' },
  ...{ ї: 'yi', й: 'y', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f' },
  ...{ х: 'h', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
  ...{ дж: 'j', кс: 'x' }
}

const CYRILLIC: Record<string, string> = {
  ...Object.fromEntries(Object.entries(LATIN).map(([cyrillic, latin]) => [latin, cyrillic])),
  ...{ e: 'е', i: 'и', g: 'г', y: 'й', c: 'к', h: 'х', j: 'й', kh: 'х', w: 'в', q: 'к', yo: 'е', x: 'кс' }
}

/**
 * Returns a Cyrillic word in Latin letters, or a Latin one in Cyrillic letters: `мавен` is `maven`, `vvedenie` is
 * `введение`. People type so without the keyboard for a script, or if they only heard a name. Of several possible
 * spellings it is one, so a letter may differ from the usual spelling.
 *
 * @param word folded (`foldWord`)
 * @returns `undefined` for a word in another script
 */
export function transliterate(word: string): string | undefined {
  if (/^[\u0430-\u045f\u0491]+$/.test(word)) return word.replace(/дж|кс|./g, (letters) => LATIN[letters] ?? letters)
  if (!/^[a-z]+$/.test(word)) return undefined
  return word.replace(/shch|zh|kh|ts|ch|sh|y[aeiou]|[a-z]/g, (letters) => CYRILLIC[letters] ?? letters)
}
