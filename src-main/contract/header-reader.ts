/** Reads a header by its lower-case name, repeated ones joined as HTTP has it; `undefined` when it was not sent. */
export type HeaderReader = (name: string) => string | undefined
