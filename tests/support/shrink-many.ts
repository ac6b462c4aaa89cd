// node shrink-many.js COUNT: shrinks pictures of every format Earmark reads, and prints by how much the process grew, in MB.
import { shrinkPicture } from '../../src-main/web/pictures.ts'

// Loads sharp as the decoder does.
await shrinkPicture(new Uint8Array(), { width: 1, height: 1 }, false)
const { default: sharp } = await import('sharp')
const plain = sharp({ create: { width: 800, height: 600, channels: 3, background: '#336699' } })
const pictures = [
  await plain.clone().png().toBuffer(),
  await plain.clone().jpeg().toBuffer(),
  await plain.clone().webp().toBuffer(),
  Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><text x="9" y="50">Text</text></svg>'),
  Buffer.from('not a picture')
]
const count = Number(process.argv[2])
// What the first ones take stays taken.
await shrink(count / 4)
const before = process.memoryUsage().rss
await shrink(count)
console.log(Math.round((process.memoryUsage().rss - before) / 2 ** 20))

async function shrink(times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    const picture = pictures[index % pictures.length]
    const shrunk = picture && (await shrinkPicture(picture, { width: 300, height: 200 }, true))
    if ((shrunk === null) !== (index % pictures.length === 4)) throw new Error(`picture ${index} was not shrunk`)
  }
}
