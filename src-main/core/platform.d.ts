// APIs of every JavaScript runtime. Contract and core may use these, but neither Node nor the DOM.
declare class URL {
  constructor(url: string, base?: string)
  static canParse(url: string): boolean
  static parse(url: string): URL | null
  hash: string
  readonly host: string
  hostname: string
  readonly href: string
  password: string
  pathname: string
  port: string
  protocol: string
  search: string
  readonly searchParams: URLSearchParams
  username: string
}

declare class URLSearchParams {
  constructor(pairs: [string, string][])
  sort(): void
  toString(): string
  [Symbol.iterator](): IterableIterator<[string, string]>
}

declare class AbortSignal {
  readonly aborted: boolean
}

declare class TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>
}

declare class TextDecoder {
  decode(bytes: ArrayBuffer): string
}
