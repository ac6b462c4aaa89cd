/** The build for browsers, which needs no Node. The package has no types; those of DefinitelyTyped name Node’s module. */
declare module 'punycode/punycode.es6.js' {
  /** @throws RangeError if the text is no Punycode */
  export function decode(text: string): string
}
