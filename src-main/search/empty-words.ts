import lists from 'stopwords-iso/stopwords-iso.json' with { type: 'json' }
import { memoize } from '../core/memoize.ts'
import { charactersOf, foldWord } from './segment.ts'

/**
 * Returns the words of a question that carry nothing: what every text holds, and what people say around what they look
 * for ("the page about X that I saved"). Words of another language in Latin letters only where two of them say that the
 * question is in it: a single `man`, `os` or `com` names something.
 *
 * @param words folded, as the index has them
 */
export function emptyWords(words: string[]): Set<string> {
  const empty = new Set(words.filter((word) => ENGLISH.has(word)))
  const foreign = words.filter((word) => !ENGLISH.has(word) && LETTER.test(word))
  const counts = Map.groupBy(
    foreign.flatMap((word) => languagesOf(word).map((language) => ({ word, language }))),
    ({ language }) => language
  )
  for (const some of counts.values()) {
    const said = new Set(some.map(({ word }) => word))
    if (said.size > 1 || !some.some(({ word }) => LATIN.test(word))) for (const word of said) empty.add(word)
  }
  return empty
}

/** Returns whether a word carries nothing in English or in another language, by its code. */
export function isFiller(word: string, language: string): boolean {
  return ENGLISH.has(word) || languagesOf(word).includes(language)
}

const LATIN = /[a-z]/
const LETTER = /\p{L}/u

/**
 * Returns the languages, English left out, in whose list a word is. The English list also has words that are as often a
 * subject (`will`, `make`, `go`): `ENGLISH` stands in for it.
 */
function languagesOf(word: string): string[] {
  if (!languages) {
    languages = new Map()
    for (const [language, all] of Object.entries(lists)) {
      for (const word of language === 'en' ? [] : all.filter((one) => !SUBJECTS.has(one))) {
        const folded = foldWord(word)
        languages.set(folded, grown(languages.get(folded) ?? NONE)(language))
      }
    }
  }
  return languages.get(word) ?? NONE
}

/**
 * Nouns and names that `stopwords-iso` lists because they are frequent in its texts. People search for them, so they carry
 * something.
 */
const SUBJECTS = new Set(
  [
    // Russian
    'вечер взгляд вода война вопрос время глаз год голова голос город дверь дело день деньги дом дорога друг душа жена',
    'женщина жизнь земля имя книга комната конец лицо люди мать машина место мир мира минута москва народ нога',
    'ночь окно отец плечо правда путь работа работать ребенок россия рука русский сила слово советский стол сторона',
    'страна товарищ улица утро час человек',
    // Bulgarian
    'време глас година години ден дни екип живот месец син смях юмрук',
    // Greek, Hebrew, Hindi
    'αληθεια נגר עז घर वर्ग',
    // Arabic, Persian, Urdu
    'أب أخ ايار مايو ايام الوقت اليوم اطار حار زيارة سنة سنوات صباح صفر عام عين قوة كرب لقاء مساء نهاية يوم',
    'آباد استفاده بخش جريان جریان جناح حق خدمات خلاصه راه روز زمان زمینه شناسي عمل فكر مردم نام نگاه',
    'افراد ضرورت طریقہ علاقہ علاقوں علاقے فرد گروپ گروہوں لوگ لوگوں',
    // Bengali, Marathi
    'উত্তর কাজ চেষ্টা দিন বক্তব্য বন ব্যবহার काम माहिती पाटील',
    // Chinese, Thai
    '人 光 区 日 月 本地 秒 结果 ผล วัน'
  ].flatMap((line) => line.split(' '))
)

const NONE: string[] = []

let languages: Map<string, string[]> | undefined

/** Returns some languages and one more. Words share them: an array for each took 40 MB in every thread. */
const grown = memoize((some: string[]) =>
  memoize((language: string) => (some.at(-1) === language ? some : [...some, language]))
)

const ENGLISH = new Set(
  [
    'a an the this that these those it its i me my we our you your he she they them their',
    'is are was were be been am do does did has have had can could should would may might',
    'of in on at by for from with without to into onto about around as than then via per vs versus',
    'and or but not no if so also just only very too really',
    'what which who whose where when why how there here some any all each other another something everything anything',
    'page pages site sites website websites article articles post posts bookmark bookmarks link links url thing things stuff',
    'saved save find found show look looking want need please remember called named related regarding concerning user users'
  ].flatMap((line) => line.split(' '))
)

/**
 * Returns, for each character of a run, whether it belongs to a Chinese, Japanese or Thai word that carries nothing:
 * 怎么用, を教えて, ของ.
 *
 * @param run folded
 */
export function emptyCharacters(run: string): boolean[] {
  const words = wordsAround(languageOf(run))
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const units = [...segmenter.segment(run)].flatMap(({ segment }) => Array(segment.length).fill(words.has(segment)))
  let at = 0
  return charactersOf(run).map((character) => {
    const isEmpty = units[at]
    at += character.length
    return isEmpty
  })
}

let segmenter: Intl.Segmenter | undefined

function languageOf(run: string): 'ja' | 'th' | 'zh' {
  if (/\p{Script=Thai}/u.test(run)) return 'th'
  return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run) ? 'ja' : 'zh'
}

const wordsAround = memoize(
  (language: 'ja' | 'th' | 'zh') =>
    new Set([...lists[language], ...AROUND].filter((word) => !SUBJECTS.has(word)).map((word) => foldWord(word)))
)

/** Chinese and Japanese words that people put around what they look for. */
const AROUND =
  '之前 以前 收藏 保存 网站 网页 链接 书签 文章 请问 找到 找 推荐 一下 看过 有没有 没有 那篇 那个 教え て くだ さい 下さい ください 記事 ページ サイト ブックマーク リンク'.split(
    ' '
  )
