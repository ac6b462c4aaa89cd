import { expect, test } from 'vitest'
import { emptyCharacters, emptyWords } from '../../src-main/search/empty-words.ts'

test.for([
  ['the page about rust and docker', ['the', 'page', 'about', 'and']],
  ['wie installiere ich docker mit compose', ['wie', 'ich', 'mit']],
  ['page sur la securite des conteneurs', ['page', 'sur', 'la', 'des']],
  ['как настроить docker для сервера', ['как', 'для']],
  ['погода москва для книга', ['для']],
  ['время година екип живот', []],
  ['सबसे अच्छा घर', ['सबसे']],
  ['אני נגר', ['אני']],
  ['راه حق از', ['از']],
  ['mit license', []],
  ['docker man', []],
  ['es 6 structures', []]
] as const)('of “%s” these carry nothing: %j', ([question, empty]) => {
  expect([...emptyWords(question.split(' '))].toSorted()).toEqual([...empty].toSorted())
})

test.for([
  ['怎么用服务来做学习', '服务学习'],
  ['请问哪里可以找到组件', '组件'],
  ['プログラミングの入門を教えてください', 'プログラミング入門']
] as const)('of %s carries something: %s', ([question, full]) => {
  const empty = emptyCharacters(question)
  expect([...question].filter((_, at) => !empty[at]).join('')).toBe(full)
})
