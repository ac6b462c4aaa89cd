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
  const parse = wholeNumber({ from: 1, to: 1_000_000, asked: 'Give a whole number from 1 to 1,000,000.' })
  return new Option('--page <n>', 'page number').argParser(parse).default(1)
}

/** `--limit <n>`: how many come in a page. */
export function limitOption(description: string): Option {
  const parse = wholeNumber({ from: 1, to: 100, asked: 'Give a whole number from 1 to 100.' })
  return new Option('--limit <n>', description).argParser(parse).default(20)
}

/** `--tag <tag>`, as often as there are tags. */
export function tagOption(description = 'only with this tag; repeat the option for several'): Option {
  return new Option('--tag <tag>', description).argParser((tag: string, all: string[] = []) => [...all, tag])
}
