import { InvalidArgumentError, Option } from 'commander'

interface Range {
  from: number
  to: number
  /** The expected value, named in the error if another is given. */
  asked: string
}

/** Reads an option that is a whole number. */
export function wholeNumber({ from, to, asked }: Range): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number < from || number > to) throw new InvalidArgumentError(asked)
    return number
  }
}

/** `--page <n>` */
export function pageOption(): Option {
  const asked = 'Give a whole number from 1.'
  const parse = wholeNumber({ from: 1, to: Number.MAX_SAFE_INTEGER, asked })
  return new Option('--page <n>', 'page number').argParser(parse).default(1)
}

/** `--tag <tag>`, as often as there are tags. */
export function tagOption(description = 'only with this tag; repeat the option for several'): Option {
  return new Option('--tag <tag>', description).argParser((tag: string, all: string[] = []) => [...all, tag])
}
