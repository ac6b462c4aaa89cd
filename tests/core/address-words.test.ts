import { expect, test } from 'vitest'
import { addressWords, fileName } from '../../src-main/core/address-words.ts'

test.for([
  ['https://a.example/blog/how-to-peel-a-mango.html', 'How to peel a mango'],
  ['https://a.example/2024/05/My_Great+Article/', 'My Great Article'],
  ['https://a.example/articles/d41d8cd98f00b204e980', 'Articles'],
  ['https://a.example/%E6%97%A5%E6%9C%AC%E8%AA%9E', '日本語'],
  ['https://a.example/guide/index.html', 'Guide'],
  ['https://www.a.example/', 'A.example'],
  ['https://a.example/12345?id=6', 'A.example'],
  ['https://a.example/%zz/broken-%zz', 'Broken %zz']
])('the words of %s are %s', ([address = '', words]) => {
  expect(addressWords(address)).toBe(words)
})

test.for([
  ['https://a.example/papers/On%20Bookmarks.pdf?x=1', 'On Bookmarks.pdf'],
  ['https://a.example/', 'a.example']
])('the file of %s is %s', ([address = '', name]) => {
  expect(fileName(address)).toBe(name)
})
