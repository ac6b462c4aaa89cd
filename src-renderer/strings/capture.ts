/** Quick capture. */
export const capture = {
  title: 'Quick capture',
  field: 'What to save',
  hint: 'An address, a color, or any text, and #tags',
  type: 'Type',
  keys: ['Enter', 'saves', 'Esc', 'closes'],
  save: 'Save',
  close: 'Close',
  already: 'You have this already.',
  open: 'Open it',
  pictureHint: 'A title for the picture, and #tags',
  noPicture: 'The copied picture cannot be read. Copy it again.',
  missing: {
    link: 'Give an address.',
    image: 'Give the picture’s address.',
    color: 'Give a color.',
    text: 'Give a text.'
  }
}
