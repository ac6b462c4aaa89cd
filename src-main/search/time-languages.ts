/**
 * The words around a time in each language. To add a language, add its words here. The names of months, and phrases such
 * as “last week” and “3 days ago”, are from Unicode’s CLDR, through `Intl` (decision 026). Words are in lower case without
 * accents, with `|` between alternatives.
 */
export interface TimeLanguage {
  /** Before a month or a year: “in May”. */
  in: string
  /** Between a month and its year: “septiembre de 2024”. */
  of: string
  /** Between two months: “June to August”. */
  to: string
  since: string
  /** Before a time that is then not read as a period: “before May”. */
  not: string
  /** Words next to a time that are removed with it: “saved in May”. */
  filler: string
  /** Numbers from one to twelve, in words: “two years ago”. */
  numbers: string
}

export const TIME_LANGUAGES: Record<string, TimeLanguage> = {
  en: {
    in: 'in|during|from|within',
    of: 'of',
    to: 'to|until|till|through|and',
    since: 'since',
    not: 'before|until|till|after',
    filler: 'saved|added|bookmarked|during|within|between|back|sometime|around|about|ago',
    numbers: 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve'
  },
  de: {
    in: 'im|in|vom|aus|im jahr',
    of: '',
    to: 'bis|und',
    since: 'seit',
    not: 'vor|bis|nach',
    filler: 'gespeichert|gemerkt|hinzugefugt|ich|habe|hab|zwischen|vom|aus',
    numbers: 'einem|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf'
  },
  fr: {
    in: 'en|de|au mois de',
    of: 'de',
    to: 'a|au|et',
    since: 'depuis',
    not: 'avant|apres',
    filler: "enregistre|enregistree|enregistres|sauvegarde|ajoute|pendant|entre|j'ai|je|ai",
    numbers: 'un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze'
  },
  es: {
    in: 'en|de|en el ano|del ano',
    of: 'de|del',
    to: 'a|hasta|y',
    since: 'desde',
    not: 'antes|hasta|despues',
    filler: 'guarde|guardado|guardada|guardados|durante|entre|he',
    numbers: 'un|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce'
  },
  pt: {
    in: 'em|de|no|na|no ano de',
    of: 'de|do',
    to: 'a|ate|e',
    since: 'desde',
    not: 'antes|ate|depois',
    filler: 'salvei|salvo|salva|salvos|guardei|guardado|adicionei|durante|entre|eu',
    numbers: 'um|dois|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze'
  }
}

/** Languages that put no spaces between words. */
export const UNSPACED_LANGUAGES = ['ja', 'zh-Hans', 'zh-Hant']
