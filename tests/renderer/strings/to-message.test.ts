import { expect, test } from 'vitest'
import { toMessage } from '../../../src-renderer/strings/to-message.ts'

test.for([
  ['url: ftp: cannot be saved, only http and https', 'Address: ftp: cannot be saved, only http and https'],
  ['content: not a valid CSS color', 'Not a valid CSS color'],
  ['tags: 0: too long', 'Tags: too long'],
  [
    'url: white space inside the URL: send what stands before it, or write %20 for each space',
    'Address: an address has no spaces in it'
  ],
  ['url: not a URL: send https://a.example', 'Address: not a complete address. Did you mean https://a.example?'],
  ['title: too long; tags: 3: empty', 'Title: too long; Tags: empty'],
  ['Nothing matches with type “color”; without it 3 match.', 'Nothing matches with type Color; without it 3 match.'],
  ['Nothing matches with visibility “public”.', 'Nothing matches with visibility Public.'],
  ['Nothing matches with is:broken; without it 3 match.', 'Nothing matches with “Broken links”; without it 3 match.'],
  ['No bookmark has the domain “a.example”.', 'No bookmark has the site “a.example”.'],
  ['There is no such change.', 'There is no such change.'],
  ['https: is a scheme', 'https: is a scheme']
] as const)('%s is told as %s', ([message, told]) => {
  expect(toMessage(message)).toBe(told)
})
