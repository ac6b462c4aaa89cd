import { expect, test } from 'vitest'
import { transliterate } from '../../src-main/search/fold-letters.ts'
import { wordForms } from '../../src-main/search/word-forms.ts'

test.for([
  ['libraries', 'library'],
  ['library', 'libraries'],
  ['class', 'classes'],
  ['boxes', 'box'],
  ['running', 'run'],
  ['run', 'running'],
  ['caching', 'cache'],
  ['cache', 'caching'],
  ['cached', 'caching'],
  ['developer', 'development'],
  ['stopped', 'stop'],
  ['kubernete', 'kubernetes'],
  ['temporaling', 'temporal'],
  ['visualization', 'visualize'],
  ['easier', 'easy'],
  ['app', 'apps'],
  ['minimalistic', 'minimalist'],
  ['minimalist', 'minimalistic'],
  ['entwicklungen', 'entwicklung'],
  ['programmieren', 'programmierung'],
  ['umfassendes', 'umfassende'],
  ['libros', 'libro'],
  ['aprender', 'aprendiendo'],
  ['programacoes', 'programacao'],
  ['esercizio', 'esercizi'],
  ['developpement', 'developper'],
  ['generale', 'generaux']
])('%s has the form %s', ([word = '', form]) => {
  expect(wordForms(word)).toContain(form)
})

test.for(['日本語', 'mpu6050', 'go', 'привет', ''])('%j has no forms', (word) => {
  expect(wordForms(word)).toEqual([])
})

test('a form of two letters is only a plural', () => {
  expect(wordForms('dbs')).toContain('db')
  expect(wordForms('suing')).not.toContain('su')
})

test('a word is not a form of itself', () => {
  for (const word of ['test', 'tests', 'tested', 'less']) expect(wordForms(word)).not.toContain(word)
})

test.for([
  ['мавен', 'maven'],
  ['линукс', 'linux'],
  ['джава', 'java'],
  ['щука', 'shchuka'],
  ['київ', 'kiyiv'],
  ['vvedenie', 'введение'],
  ['borshch', 'борщ'],
  ['knizhka', 'книжка'],
  ['ядro', undefined],
  ['日本', undefined],
  ['café', undefined],
  ['web2', undefined]
] as const)('%s is transliterated to %s', ([word, reading]) => {
  expect(transliterate(word)).toBe(reading)
})
