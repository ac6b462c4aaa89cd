// node resources/draw.ts: draws the icons that packages and the tray need from the SVG files beside this one.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumPath } from '../tests/support/tools.ts'

const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: ['--no-sandbox']
})
const page = await browser.newPage()

await draw('icon.svg', 512, 'icon.png')
await draw('tray.svg', 24, 'tray.png')
await draw('tray.svg', 48, 'tray@2x.png')
// The names tell macOS that only the shape counts: it chooses the color.
await draw('trayTemplate.svg', 16, 'trayTemplate.png')
await draw('trayTemplate.svg', 32, 'trayTemplate@2x.png')
for (const size of [16, 32, 48, 128]) await draw('icon.svg', size, `../src-extension/icons/icon-${size}.png`)
writeFileSync(file('icon.ico'), iconFile(await pictures('icon.svg', [16, 24, 32, 48, 64, 128, 256])))
writeFileSync(file('tray.ico'), iconFile(await pictures('tray.svg', [16, 20, 24, 32, 48])))
await browser.close()

interface Picture {
  size: number
  png: Buffer
}

async function draw(source: string, size: number, target: string): Promise<void> {
  const [picture] = await pictures(source, [size])
  if (picture) writeFileSync(file(target), picture.png)
}

/** The drawing in these sizes, in pixels, on a transparent ground. */
async function pictures(source: string, sizes: number[]): Promise<Picture[]> {
  const drawing = Buffer.from(readFileSync(file(source))).toString('base64')
  const drawn: Picture[] = []
  for (const size of sizes) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(
      `<style>body{margin:0}img{display:block;width:${size}px}</style><img src="data:image/svg+xml;base64,${drawing}">`
    )
    await page.locator('img').evaluate((image) => (image as HTMLImageElement).decode())
    drawn.push({ size, png: await page.screenshot({ omitBackground: true }) })
  }
  return drawn
}

/** Pictures in one .ico file: a header, an entry for each, then the pictures as PNG, which Windows reads since Vista. */
function iconFile(pictures: Picture[]): Buffer {
  const header = Buffer.alloc(6 + 16 * pictures.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let offset = header.length
  for (const [index, { size, png }] of pictures.entries()) {
    const at = 6 + 16 * index
    header.writeUInt8(size % 256, at) // 0 means 256
    header.writeUInt8(size % 256, at + 1)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(png.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([header, ...pictures.map(({ png }) => png)])
}

function file(name: string): string {
  return join(import.meta.dirname, name)
}
