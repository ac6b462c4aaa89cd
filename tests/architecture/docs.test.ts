import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('every file and room that docs/develop/architecture.md names is there', () => {
  const text = readFileSync(join(root, 'docs/develop/architecture.md'), 'utf8')
  const named = [...text.matchAll(/`((?:[a-z-]+\/)+(?:[a-z-]+\.ts)?)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(40)
  const places = ['', 'src-main', 'docs/develop']
  expect(named.filter((path) => !places.some((place) => existsSync(join(root, place, path))))).toEqual([])
})

test('no link between the documents leads nowhere', () => {
  const documents = [
    'README.md',
    'CONTRIBUTING.md',
    ...['docs', 'docs/develop', 'docs/develop/decisions'].flatMap(markdownIn)
  ]
  const broken = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target)
    return targets
      .filter((target) => !existsSync(join(root, dirname(document), target)))
      .map((target) => `${document}: ${target}`)
  })
  expect(broken).toEqual([])
})

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}
