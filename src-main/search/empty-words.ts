/**
 * Words that carry nothing in a question for a bookmark: what every text holds, and what people say around what they
 * look for ("the page about X that I saved"). Not those of another language that name something in a programmer's: `os`, `di`.
 */
export function isEmptyWord(word: string): boolean {
  return EMPTY.has(word)
}

/** Folded, as the index has them. Words that are as often a subject as a filler (`will`, `more`, `go`) stay out. */
const EMPTY = new Set(
  [
    'a an the this that these those it its i me my we our you your he she they them their',
    'is are was were be been am do does did has have had can could should would may might',
    'of in on at by for from with without to into onto about around as than then via per vs versus',
    'and or but not no if so also just only very too really',
    'what which who whose where when why how there here some any all each other another something',
    'page pages site sites website websites article articles post posts bookmark bookmarks link links url thing things stuff',
    'saved save find found show look looking want need please remember called named',
    'der die das den dem des ein eine einen und oder mit fur von zu im am auf ist wie was',
    'le la les un une des du de et ou avec pour sur dans est que qui comment',
    'el los las una unos y o con para por sobre en es como del al que',
    'il lo gli uno con nel della',
    'uma com para'
  ].flatMap((line) => line.split(' '))
)
