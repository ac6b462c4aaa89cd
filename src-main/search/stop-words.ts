import lists from 'stopwords-iso/stopwords-iso.json' with { type: 'json' }
import { memoize } from '../core/memoize.ts'
import { foldWord, splitCharacters } from './segment.ts'

/**
 * Returns the stop words of a query: frequent words such as `the`, and the words around a topic, as in “the page about X
 * that I saved”. Stop words of other languages in Latin letters count only if the query has two of the same language,
 * because a single `man`, `os` or `com` can be a topic.
 *
 * @param words folded (`foldWord`)
 */
export function findStopWords(words: string[]): Set<string> {
  const stopWords = new Set(words.filter((word) => ENGLISH.has(word)))
  const foreign = words.filter((word) => !ENGLISH.has(word) && LETTER.test(word))
  const byLanguage = Map.groupBy(
    foreign.flatMap((word) => languagesOf(word).map((language) => ({ word, language }))),
    ({ language }) => language
  )
  for (const entries of byLanguage.values()) {
    const distinct = new Set(entries.map(({ word }) => word))
    const isLatin = entries.some(({ word }) => LATIN.test(word))
    if (distinct.size > 1 || !isLatin) for (const word of distinct) stopWords.add(word)
  }
  return stopWords
}

/** Returns whether a word is a stop word in English or in the language with this code. */
export function isStopWord(word: string, language: string): boolean {
  return ENGLISH.has(word) || languagesOf(word).includes(language)
}

const LATIN = /[a-z]/
const LETTER = /\p{L}/u

/**
 * Returns the languages whose stop words include a word. Not English: that list of `stopwords-iso` has frequent topics,
 * such as `make` and `go`, so `ENGLISH` replaces it.
 */
function languagesOf(word: string): string[] {
  if (!languagesByWord) {
    languagesByWord = new Map()
    for (const [language, all] of Object.entries(lists)) {
      for (const word of language === 'en' ? [] : all.filter((entry) => !CONTENT_WORDS.has(entry))) {
        const folded = foldWord(word)
        languagesByWord.set(folded, withLanguage(languagesByWord.get(folded) ?? NO_LANGUAGES)(language))
      }
    }
  }
  return languagesByWord.get(word) ?? NO_LANGUAGES
}

/** Nouns and names in `stopwords-iso`, which has them because they are frequent. People search for them. */
const CONTENT_WORDS = new Set(
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

const NO_LANGUAGES: string[] = []

let languagesByWord: Map<string, string[]> | undefined

/** Adds a language to a list. Equal lists are one array, because an array for each word took 40 MB in every thread. */
const withLanguage = memoize((list: string[]) =>
  memoize((language: string) => (list.at(-1) === language ? list : [...list, language]))
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
 * Returns for each character of a text without spaces whether it belongs to a Chinese, Japanese or Thai stop word:
 * 怎么用, を教えて, ของ.
 *
 * @param run folded
 */
export function findStopCharacters(run: string): boolean[] {
  const words = stopWordsOf(languageOfRun(run))
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' })
  const units = [...segmenter.segment(run)].flatMap(({ segment }) => Array(segment.length).fill(words.has(segment)))
  let offset = 0
  return splitCharacters(run).map((character) => {
    const isStop = units[offset]
    offset += character.length
    return isStop
  })
}

let segmenter: Intl.Segmenter | undefined

function languageOfRun(run: string): 'ja' | 'th' | 'zh' {
  if (/\p{Script=Thai}/u.test(run)) return 'th'
  return /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run) ? 'ja' : 'zh'
}

const stopWordsOf = memoize(
  (language: 'ja' | 'th' | 'zh') =>
    new Set(
      [...lists[language], ...CHINESE_AND_JAPANESE]
        .filter((word) => !CONTENT_WORDS.has(word))
        .map((word) => foldWord(word))
    )
)

/** Chinese and Japanese words around a topic, such as “please”, “find” and “page”. */
const CHINESE_AND_JAPANESE =
  '之前 以前 收藏 保存 网站 网页 链接 书签 文章 请问 找到 找 推荐 一下 看过 有没有 没有 那篇 那个 教え て くだ さい 下さい ください 記事 ページ サイト ブックマーク リンク'.split(
    ' '
  )
