import { counted } from './format.ts'

/** Quick capture. */
export const capture = {
  title: 'Quick capture',
  field: 'What to save',
  hint: 'An address, a color, or any text, and #tags',
  type: 'Type',
  keys: (find: string) => [
    ['Enter', 'saves'],
    [find, 'finds'],
    ['Esc', 'closes']
  ],
  save: 'Save',
  close: 'Close',
  already: 'You have this already.',
  added: (tags: string[]) => `You have this already. Added ${tags.map((tag) => `#${tag}`).join(' ')}.`,
  open: 'Open it',
  tags: 'Tags you use',
  offered: (count: number) => `${counted(count, { one: 'tag', other: 'tags' })}, Tab takes the first`,
  take: 'Tab',
  suggested: (count: number) =>
    `${counted(count, { one: 'suggested tag', other: 'suggested tags' })}, the right arrow adds the first`,
  find: 'Find a bookmark',
  findHint: 'Find a bookmark',
  found: 'Bookmarks found',
  nothing: 'Nothing matches.',
  empty: 'No bookmarks yet.',
  findKeys: (command: string) => [
    ['Enter', 'opens'],
    [`${command} C`, 'copies'],
    [`${command} Enter`, 'shows in Earmark'],
    ['Esc', 'closes']
  ],
  pictureHint: 'A title for the picture, and #tags',
  noPicture: 'The copied picture cannot be read. Copy it again.',
  missing: {
    link: 'Enter an address.',
    image: 'Enter the picture’s address.',
    color: 'Enter a color.',
    text: 'Enter a text.'
  }
}
