declare module 'opencc-js/dict/TSCharacters' {
  /** Entries with `|` between them. */
  const table: string
  export default table
}

declare module 'stopwords-iso/stopwords-iso.json?raw' {
  /** JSON: lists of words by ISO 639-1 code. */
  const text: string
  export default text
}
