/** Cyrillic letters as Russian and Ukrainian names of things are most often written in Latin ones. */
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
 * Returns a word of Cyrillic letters in Latin ones, or the other way round, as people write it who have no such keyboard or
 * heard a name only: `мавен` is `maven`, `vvedenie` is `введение`. One reading of several: a letter may differ.
 *
 * @param word folded
 * @returns `undefined` for a word of other letters
 */
export function transliterated(word: string): string | undefined {
  if (/^[\u0430-\u045f\u0491]+$/.test(word)) return word.replace(/дж|кс|./g, (letters) => LATIN[letters] ?? letters)
  if (!/^[a-z]+$/.test(word)) return undefined
  return word.replace(/shch|zh|kh|ts|ch|sh|y[aeiou]|[a-z]/g, (letters) => CYRILLIC[letters] ?? letters)
}
